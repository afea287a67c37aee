/**
 * The code of authored tools as a guest in this process. It may print, throw where nobody catches, and ask the process to
 * end; whose code that was is known by the asynchronous context that it runs in, so that it stays that call's matter.
 * This keeps order among careless tools; it contains no hostile one.
 */
import { AsyncLocalStorage } from "node:async_hooks"

interface Guest {
  readonly tool: string
  readonly wrote: (text: string) => void
  readonly failed: (error: unknown) => void
  /** Nobody waits for it any more. */
  over: boolean
}

const guests = new AsyncLocalStorage<Guest>()

/** One call of a tool, from the import of its module to its end. */
export interface GuestCall {
  /** Runs the tool's code; rejects with what it threw, and with what nobody caught meanwhile. */
  readonly run: <A>(code: () => Promise<A>) => Promise<A>
  /** Tells the tool something: listeners of its own run. */
  readonly tell: (code: () => void) => void
  /** What it prints and throws from now on reaches nobody. */
  readonly end: () => void
}

/** A call of `tool`; what it prints goes to `wrote`. */
export const guestCall = (tool: string, wrote: (text: string) => void): GuestCall => {
  let fail: (error: unknown) => void = () => undefined
  const strayed = new Promise<never>((_, reject) => {
    fail = reject
  })
  strayed.catch(() => undefined)
  const guest: Guest = { tool, wrote, failed: (error) => fail(error), over: false }
  return {
    run: (code) => Promise.race([guests.run(guest, code), strayed]),
    tell: (code) => guests.run(guest, code),
    end: () => {
      guest.over = true
    }
  }
}

/** Runs `code` of the host that a guest's code may have come to call. */
export const asHost = <A>(code: () => A): A => guests.exit(code)

/**
 * From here on this process is the host's: what guests print is their call's output, what nobody caught of theirs fails
 * their call, and they cannot end the process. `note` takes a line about a guest whose call is over, and `crash` an error
 * of the host's own that nobody caught.
 */
export const keepGuests = (note: (line: string) => void, crash: (error: unknown) => void): void => {
  for (const stream of [process.stdout, process.stderr]) keepStream(stream)
  const exit = process.exit
  process.exit = (code) => {
    const guest = guests.getStore()
    if (guest === undefined) return exit(code)
    const refused = new Error("process.exit is the host's: return or throw instead")
    guest.failed(refused)
    throw refused
  }
  process.on("uncaughtException", (error: unknown) => {
    const guest = guests.getStore()
    if (guest === undefined) return crash(error)
    if (!guest.over) return guest.failed(error)
    asHost(() => note(`gatehouse: the tool ${guest.tool} threw after its call had ended; nothing of it is shown`))
  })
}

const keepStream = (stream: NodeJS.WriteStream): void => {
  const write = stream.write
  const kept = (...args: Parameters<typeof write>): boolean => {
    const guest = guests.getStore()
    if (guest === undefined) return Reflect.apply(write, stream, args)
    if (!guest.over) guest.wrote(typeof args[0] === "string" ? args[0] : Buffer.from(args[0]).toString())
    const done: unknown = args.find((arg: unknown) => typeof arg === "function")
    if (typeof done === "function") process.nextTick(done)
    return true
  }
  // The overloads of `write` take the same arguments, which are handed on as they are.
  stream.write = kept as typeof write
}
