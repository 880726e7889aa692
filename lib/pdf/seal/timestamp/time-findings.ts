/** Reports doubts about the times of a signature. Pure. */
import type { X509Certificate } from 'node:crypto'
import type { Timestamp } from './timestamp.ts'

export interface TimesOfSignature {
  certificate: X509Certificate | null
  /** ISO 8601, by the clock of the signer. */
  signedAt: string | null
  timestamp: Timestamp | null
  /** The time that it is; undefined where an expired certificate is not reported. */
  now: Date | undefined
}

/** A time that a trusted authority gives counts for more than the one that the signer gives. */
export function timeFindings({ certificate, signedAt, timestamp, now }: TimesOfSignature): string[] {
  const findings: string[] = []
  if (timestamp && !timestamp.isTrusted)
    findings.push('The authority of the timestamp is not a known one, so its time is not relied on.')
  const proven = timestamp?.isTrusted ? timestamp.at : null
  const at = proven ?? signedAt
  if (!certificate || !at) return findings
  if (!wasValidAt(certificate, at)) findings.push('The certificate was not valid at the time of signing.')
  else if (!proven && now && now.getTime() > Date.parse(certificate.validTo))
    findings.push('The certificate has ended since then, and no timestamp proves that it was signed before that.')
  return findings
}

const wasValidAt = ({ validFrom, validTo }: X509Certificate, iso: string): boolean => {
  const time = Date.parse(iso)
  return time >= Date.parse(validFrom) && time <= Date.parse(validTo)
}
