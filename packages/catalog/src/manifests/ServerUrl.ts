/**
 * Whether the URL of a declaration can be that of a server. It is judged as written, because a parser hides slips;
 * where it leads is judged by the URL policy when the server is opened.
 */

/** `${NAME}`: replaced when the server is opened. */
const reference = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/g

/** What is wrong with `text`, or null. The message repeats nothing of it. */
export const serverUrlProblem = (text: string): string | null => {
  if (text.trim() === "") return "must be an http or https URL with a host; it is blank"
  if (/[\s\p{C}\\]/u.test(text)) return "must be a URL without blanks, control characters and backslashes"
  const [, authority] = /^https?:\/\/([^/?#]*)/i.exec(text) ?? []
  if (authority === undefined) return "must be an http or https URL with a host, such as `https://host.example/mcp`"
  if (authority.includes("@")) {
    return "must not hold credentials; put them into `headers`, taken from a variable: `${NAME}`"
  }
  if (authority.includes("${")) {
    return "must name its host in plain text, so that whoever approves the connection sees it; `${NAME}` may stand after it"
  }
  const host = URL.canParse(text.replace(reference, "x")) ? new URL(text.replace(reference, "x")).hostname : ""
  return host === "" ? "must be an http or https URL with a valid host" : null
}
