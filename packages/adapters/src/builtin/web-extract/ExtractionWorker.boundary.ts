/** The worker's side: one page in, one answer out. */
import { parentPort, workerData } from "node:worker_threads"
import { extractPage, type PageSource } from "./Extraction.boundary.ts"

// Made by the other side of this file alone, which is typed.
const page = workerData as PageSource
parentPort?.postMessage(await extractPage(page))
