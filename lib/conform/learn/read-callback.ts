/** Reads from a callback how its host behaves. Pure. */
import type { HostProfile } from '../../profile/host-profile.ts'
import type { Callback } from '../callback-receiver.ts'
import { isSignedWith } from '../rules/callbacks.ts'
import { type Learnt, seen, untold } from './learnt.ts'

const SIGNATURE = 'Signature'
/** Seconds have eleven digits only from the year 5138 on. */
const MOST_DIGITS_OF_SECONDS = 11

/** @param profile by which the rest of the callback is read */
export function readCallback(callback: Callback, secret: string, profile: HostProfile): Learnt[] {
  const name = callback.headerNames.find(
    (header) => header.toLowerCase().endsWith('signature') && /^sha256=/i.test(textOf(callback, header)),
  )
  if (name === undefined) return [untold('headerPrefix', 'no header of the callback holds a signature')]
  const headerPrefix = name.slice(0, -SIGNATURE.length)
  const digits = textOf(callback, `${headerPrefix}Timestamp`).length
  const timestampUnit = digits > MOST_DIGITS_OF_SECONDS ? 'ms' : 's'
  const encodings = ['base64', 'utf8'] as const
  const secretEncoding = encodings.find((encoding) =>
    isSignedWith(
      callback,
      { ...profile, headerPrefix, webhook: { ...profile.webhook, secretEncoding: encoding } },
      secret,
    ),
  )
  return [
    seen('headerPrefix', headerPrefix, 'the headers of a callback'),
    seen('webhook.timestampUnit', timestampUnit, `a timestamp of ${digits} digits`),
    secretEncoding
      ? seen('webhook.secretEncoding', secretEncoding, 'the signature of a callback')
      : untold('webhook.secretEncoding', 'neither the bytes nor the text of the secret gave the signature'),
  ]
}

const textOf = ({ headers }: Callback, name: string) => String(headers[name.toLowerCase()] ?? '')
