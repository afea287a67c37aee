/**
 * The profile `workspace` with bubblewrap (bwrap(1)): the system read-only, the workspace writable, namespaces of its
 * own for network, processes, users and the rest; the host's home and the hidden folders are empty.
 */
import { findProgram, trialOf } from "../spawn/ChildProcess.boundary.ts"
import type { SandboxProbe, SandboxRequest, SandboxTool } from "./Sandbox.ts"

export const bubblewrap = (
  program: string | null = findProgram("bwrap", "/usr/bin:/bin:/usr/local/bin")
): SandboxTool => {
  let known: SandboxProbe | null = null
  return {
    name: "bwrap",
    probe: () => (known ??= probe(program)),
    wrap: (request) => ({ command: program ?? "bwrap", args: profile(request) })
  }
}

const isolation = ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]

/** Arguments for one command. Later mounts cover earlier ones, so what is hidden comes before what stays visible. */
export const profile = ({ invocation, cwd, workspace, hidden, home }: SandboxRequest): ReadonlyArray<string> => {
  const empty = ["/tmp", "/run", ...hidden].flatMap((folder) => ["--tmpfs", folder])
  const writable = home === null ? [] : ["--bind-try", home, home]
  writable.push("--bind", workspace, workspace)
  return [...isolation, ...empty, ...writable, "--chdir", cwd, "--", invocation.command, ...invocation.args]
}

const probe = (program: string | null): SandboxProbe => {
  if (program === null) {
    return { works: false, why: "bwrap is not installed", remedy: "Install the package bubblewrap" }
  }
  const trial = trialOf(program, [...isolation, "--", "/bin/true"])
  if (trial.status === 0) return { works: true, version: trialOf(program, ["--version"]).output.trim() }
  return {
    works: false,
    why: `bwrap does not work here: ${trial.errors.trim().split("\n", 1)[0] ?? "it gave no reason"}`,
    remedy:
      "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, or the AppArmor profile of bwrap)"
  }
}
