/**
 * Whether an awk program does nothing but read its input and print. It is told by what is absent: everything with which
 * awk starts commands, opens files or looks around. Sources: POSIX.1-2017 awk; gawk manual, chapters 5.6 to 5.10, 9, 12.
 */

/** What makes `program` more than a reader, in words; null where there is nothing. */
export const awkDoubt = (program: string): string | null => {
  if (/\bsystem\b/.test(program)) return "can start a command"
  if (/(?:^|[^|])\|(?!\|)/.test(program) || program.includes("|&")) return "can start a command through a pipe"
  if (/\bgetline\b/.test(program)) return "can read other files"
  if (program.includes("@")) return "loads a library or calls a function by its name"
  if (/\b(?:ENVIRON|PROCINFO|ARGV|ARGC)\b/.test(program)) return "looks at more than its input"
  const output = program.search(/\bprint(?:f)?\b/)
  if (output >= 0 && program.indexOf(">", output) >= 0) return "may write to a file"
  return null
}
