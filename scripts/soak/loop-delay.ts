/** How long the service could not do anything else, as it measures itself with `monitorEventLoopDelay`. */

/** The histogram notes every 10 ms how much later it is than it was the last time. */
const RESOLUTION_MS = 10
const METRIC = 'nodejs_eventloop_lag_max_seconds'

/** The longest delay of the loop since the last time that the metrics were asked for, in milliseconds. */
export async function longestDelay(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const seconds = Number(new RegExp(`^${METRIC} (\\S+)$`, 'm').exec(text)?.[1])
  if (!(seconds > 0)) throw new Error(`${metricsUrl} does not tell ${METRIC}.`)
  return Math.max(0, seconds * 1000 - RESOLUTION_MS)
}
