/** From the bytes of a page to text that a model can read. Runs in a worker: hostile pages cost their time there. */
import TurndownService from "turndown"
import { extractText, getDocumentProxy, getMeta } from "unpdf"
import { decodePage } from "./Charset.ts"
import { nestsTooDeep } from "./HtmlDepth.ts"
import { type PageKind, sniff } from "./MediaType.ts"
import { type PageDocument, type PageElement, parsePage, readArticle } from "./PageDocument.boundary.ts"

export interface PageSource {
  readonly body: Uint8Array
  /** By its type; `unknown` is sniffed. */
  readonly kind: PageKind | "unknown"
  /** The charset of the `content-type`, where it has one. */
  readonly charset: string | null
  /** Where the page came from: links are resolved against it. */
  readonly url: string
}

export type ExtractedPage =
  | {
      readonly _tag: "text"
      readonly kind: PageKind
      readonly title: string | null
      readonly text: string
      /** `[text][3]` in the text stands for the third of these. */
      readonly links: ReadonlyArray<string>
      readonly charset: string | null
    }
  /** `unreadable`: it is not what it says, or encrypted. */
  | { readonly _tag: "refused"; readonly reason: "binary" | "nesting" | "unreadable" }

export const extractPage = async (page: PageSource): Promise<ExtractedPage> => {
  const kind = page.kind === "unknown" ? sniff(page.body) : page.kind
  if (kind === "binary") return { _tag: "refused", reason: "binary" }
  if (kind === "pdf") return readPdf(page.body)
  const { charset, text } = decodePage(page.body, page.charset, kind === "html" || kind === "text")
  if (text.includes("\u0000")) return { _tag: "refused", reason: "binary" }
  if (kind === "html") {
    if (nestsTooDeep(text)) return { _tag: "refused", reason: "nesting" }
    return { _tag: "text", kind, charset, ...readHtml(text, page.url) }
  }
  const body = tidy(kind === "json" ? readJson(text) : text)
  return { _tag: "text", kind, charset, title: null, text: body, links: [] }
}

/** An article shorter than this, in characters, is taken for a mistake where the whole page says more. */
const articleLength = 250

const readHtml = (
  html: string,
  url: string
): { readonly title: string | null; readonly text: string; readonly links: ReadonlyArray<string> } => {
  const prepare = (): PageDocument => {
    const document = parsePage(html)
    // It stands in the head, or, in a page without one, among the text.
    for (const element of document.querySelectorAll("body title")) element.remove()
    for (const element of document.querySelectorAll(unread)) element.remove()
    absoluteLinks(document, url)
    return document
  }
  const first = prepare()
  const title = tidy(first.title || (first.querySelector("h1")?.textContent ?? ""))
  const article = readArticle(first)
  const links: Array<string> = []
  const whole = (): string => toMarkdown(prepare().body, links)
  const read = (element: PageElement): string => toMarkdown(element, links)
  const fromArticle = article === null ? "" : read(article.content)
  if (fromArticle.length >= articleLength)
    return { title: tidy(article?.title || title) || null, text: fromArticle, links }
  links.length = 0
  const all = whole()
  return { title: title || null, text: all, links }
}

/** What nobody sees, or what is no text: also where a page hides orders to a model. */
const unread =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, dialog, [hidden], [aria-hidden="true"], ' +
  '[style*="display:none"], [style*="display: none"], [style*="visibility:hidden"], [style*="visibility: hidden"]'

const absoluteLinks = (document: PageDocument, url: string): void => {
  const declared = document.querySelector("base")?.getAttribute("href") ?? null
  const base = (declared === null ? null : webUrl(declared, url)) ?? url
  for (const link of document.querySelectorAll("a[href]")) {
    const target = webUrl(link.getAttribute("href") ?? "", base)
    if (target === null) link.removeAttribute("href")
    else link.setAttribute("href", target)
  }
}

/** Longer ones are no references but payloads. */
const linkLength = 1000

const webUrl = (reference: string, base: string): string | null => {
  if (!URL.canParse(reference, base)) return null
  const { href, protocol } = new URL(reference, base)
  return (protocol === "https:" || protocol === "http:") && href.length <= linkLength ? href : null
}

/** Markdown of `element`; targets of links are collected in `links`. */
const toMarkdown = (element: PageElement, links: Array<string>): string => {
  const numbers = new Map<string, number>()
  const numberOf = (target: string): number => {
    const known = numbers.get(target) ?? links.push(target)
    numbers.set(target, known)
    return known
  }
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---"
  })
  service.addRule("links", {
    filter: "a",
    replacement: (content, node) => {
      const target = attribute(node, "href")
      const text = content.trim()
      return target === null || text === "" ? content : `[${text}][${numberOf(target)}]`
    }
  })
  service.addRule("images", {
    filter: ["img"],
    replacement: (_content, node) => {
      const alt = (attribute(node, "alt") ?? "").trim()
      return alt === "" ? "" : `[image: ${alt}]`
    }
  })
  service.addRule("cells", {
    filter: ["th", "td"],
    replacement: (content) => `${content.trim().replace(/\s*\n\s*/g, " ")} | `
  })
  service.addRule("rows", { filter: "tr", replacement: (content) => `\n| ${content.trim()}` })
  service.addRule("tables", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` })
  // Typed for a browser's nodes, of which it uses what every DOM has.
  return tidy(service.turndown(element as never))
}

const attribute = (node: unknown, name: string): string | null =>
  typeof node === "object" && node !== null && "getAttribute" in node && typeof node.getAttribute === "function"
    ? String((node as PageElement).getAttribute(name) ?? "") || null
    : null

/** Indented, so that a part of it can be read; as it is where it is none, or too deep to be written again. */
const readJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const readPdf = async (body: Uint8Array): Promise<ExtractedPage> => {
  try {
    const document = await getDocumentProxy(new Uint8Array(body))
    const { text } = await extractText(document, { mergePages: false })
    const { info } = await getMeta(document)
    const title: unknown = info.Title
    const pages = text.map((page, index) => (text.length === 1 ? page : `[page ${index + 1}]\n${page}`))
    return {
      _tag: "text",
      kind: "pdf",
      charset: null,
      title: typeof title === "string" && title.trim() !== "" ? tidy(title) : null,
      text: tidy(pages.join("\n\n")),
      links: []
    }
  } catch {
    return { _tag: "refused", reason: "unreadable" }
  }
}

/** One kind of line end, no control characters, no invisible letters (Unicode tags), no towers of empty lines. */
const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]|[\u{e0000}-\u{e007f}]/gu, "")
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
