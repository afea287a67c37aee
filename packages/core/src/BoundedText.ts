/** Text that is cut at a limit, and says so. */

/** `text`, or its first `limit` UTF-16 units; never half of a surrogate pair. The mark counts within the limit. */
export const boundedText = (text: string, limit: number, mark = "…"): string => {
  if (text.length <= limit) return text
  if (limit <= mark.length) return mark.slice(0, limit)
  const end = limit - mark.length
  return text.slice(0, splitsPair(text, end) ? end - 1 : end) + mark
}

/** Whether a cut at `index` would halve a surrogate pair. */
export const splitsPair = (text: string, index: number): boolean => {
  const before = text.charCodeAt(index - 1)
  const after = text.charCodeAt(index)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
