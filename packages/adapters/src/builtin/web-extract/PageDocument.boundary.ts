/** A page as a tree: the part of the DOM that reading needs, over `linkedom`, whose types want a browser's. */
import { Readability } from "@mozilla/readability"
import { parseHTML } from "linkedom"

export interface PageElement {
  readonly nodeName: string
  readonly textContent: string | null
  readonly getAttribute: (name: string) => string | null
  readonly setAttribute: (name: string, value: string) => void
  readonly removeAttribute: (name: string) => void
  readonly remove: () => void
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>
  readonly querySelector: (selector: string) => PageElement | null
}

export interface PageDocument extends PageElement {
  readonly title: string
  readonly body: PageElement
}

/** What Readability takes for the page's own text; null where it finds none. */
export interface Article {
  readonly title: string | null
  readonly content: PageElement
  readonly length: number
}

/** Parses forgivingly; a fragment becomes the body of a document. */
export const parsePage = (html: string): PageDocument => {
  const whole = /<html[\s>]/i.test(html) ? html : `<!doctype html><html>${headOf(html)}<body>${html}</body></html>`
  // The library types its documents as a browser's, which this program has no types of.
  return (parseHTML(whole) as { readonly document: unknown }).document as PageDocument
}

/** A head that holds the title of a fragment, where it has one. */
const headOf = (html: string): string => `<head>${/<title[^<>]*>[^<]*<\/title\s*>/i.exec(html)?.[0] ?? ""}</head>`

/** Finds the article; changes the document. */
export const readArticle = (document: PageDocument): Article | null => {
  const reader = new Readability(document as never, { serializer: (node) => node })
  const found = reader.parse() as {
    readonly title?: string | null
    readonly content?: unknown
    readonly length?: number | null
  } | null
  if (found === null || typeof found.content !== "object" || found.content === null) return null
  return { title: found.title ?? null, content: found.content as PageElement, length: found.length ?? 0 }
}
