/** A signature that was taken apart and put together again, as anybody can who has no key. */
import * as pkijs from 'pkijs'
import { encodeSigned, exact } from '../../../lib/pdf/seal/cms.ts'

export function alteredCms(
  cms: Uint8Array,
  change: (signed: pkijs.SignedData, info: pkijs.SignerInfo) => void,
): Buffer {
  const signed = new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(exact(cms)).content })
  change(signed, signed.signerInfos[0]!)
  return encodeSigned(signed)
}
