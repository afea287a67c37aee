/** One word of a command after the shell's quote removal, with the place that it came from. */

export interface Argument {
  /**
   * The word without its quotes. Where the shell decides at run time this is the best guess: what is known is filled
   * in, what is not is {@link unknownText}, a home folder is {@link homeMark}.
   */
  readonly value: string
  /** UTF-16 positions in the command under review. */
  readonly start: number
  readonly end: number
  /** False where the shell decides something at run time: then `value` is a guess, good for suspicion only. */
  readonly literal: boolean
}

/** Stands in a guess for text that nobody knows before it runs. A private-use character, so that no name holds it. */
export const unknownText = "\uE000"

/** Stands in a guess for the home folder of whoever runs the command. */
export const homeMark = "\uE001"

/** The part of a word from `offset` on, at the same place: a value glued to its option. */
export const tailOf = (argument: Argument, offset: number): Argument => ({
  ...argument,
  value: argument.value.slice(offset)
})
