/** Processor time of this process: a budget must not run out because the machine was busy with something else. */

/** Milliseconds of processor time that this process has used. */
export const cpuMillis = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}
