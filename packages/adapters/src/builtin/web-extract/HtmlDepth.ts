/** How deeply the elements of a page nest, before it is parsed: building a tree of 50,000 levels does not come back. */

/** Elements inside one another; browsers stop at 512 as well. */
export const htmlDepthLimit = 512

/** Whether the markup nests deeper than {@link htmlDepthLimit}: one pass, no tree, wrong at most about odd pages. */
export const nestsTooDeep = (html: string): boolean => {
  let depth = 0
  const lower = html.toLowerCase()
  const tag = /<(\/?)([a-z][a-z0-9-]*)[^<>]*>/g
  for (let found = tag.exec(lower); found !== null; found = tag.exec(lower)) {
    const name = found[2] ?? ""
    if (flat.has(name)) continue
    if (found[1] === "/") depth = Math.max(0, depth - 1)
    else if (raw.has(name)) {
      // What stands inside is no markup.
      const end = lower.indexOf(`</${name}`, tag.lastIndex)
      if (end === -1) return false
      tag.lastIndex = lower.indexOf(">", end) + 1 || lower.length
    } else if (!found[0].endsWith("/>")) depth += 1
    if (depth > htmlDepthLimit) return true
  }
  return false
}

const raw: ReadonlySet<string> = new Set(["script", "style", "textarea", "title"])

/** Void elements, and those whose end may be left out: they close one another. */
const flat: ReadonlySet<string> = new Set(
  (
    "area base br col embed hr img input link meta source track wbr " +
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rp rt html head body"
  ).split(" ")
)
