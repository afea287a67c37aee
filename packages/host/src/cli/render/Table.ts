/** Plain tables: no borders, so that they can be read, piped and cut. */
import Table from "cli-table3"

const noBorder = Object.fromEntries(
  [
    "top",
    "top-mid",
    "top-left",
    "top-right",
    "bottom",
    "bottom-mid",
    "bottom-left",
    "bottom-right",
    "left",
    "left-mid",
    "mid",
    "mid-mid",
    "right",
    "right-mid"
  ].map((part) => [part, ""])
)

/** A head and its rows in columns; `colours` makes the head bold. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  style: { readonly colours: boolean }
): string => {
  const made = new Table({
    head: [...head],
    chars: { ...noBorder, middle: " " },
    style: { "padding-left": 0, "padding-right": 1, head: style.colours ? ["bold"] : [], border: [] }
  })
  made.push(...rows.map((row) => [...row]))
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
}
