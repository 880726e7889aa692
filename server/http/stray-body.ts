/** Whether a call that reads no body was sent one that says something. */
import type { Request } from 'express'

/** Some clients send an empty object with every call. */
const EMPTY_BODY_BYTES = '{}'.length

/** A sender who puts the parameters of an update into a body should read why they are missing. */
export const strayBody = async (req: Request): Promise<string[]> =>
  (await saysSomething(req)) ? ['body: not read; this call takes its values from the query of the URL'] : []

async function saysSomething(req: Request): Promise<boolean> {
  const { headers } = req
  if (headers['transfer-encoding'] === undefined) return Number(headers['content-length'] ?? 0) > EMPTY_BODY_BYTES
  // Gateways announce a body whose length they do not know, and which may turn out to be empty.
  let bytes = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length
      if (bytes > EMPTY_BODY_BYTES) return true
    }
    return false
  } catch {
    // The sender is gone, so nothing of the call is done.
    return true
  }
}
