/** Keeps what the signer fills in: the draft, and the adopted signature in it. */
import type { Opened } from '../../../operations/signer/messages.ts'
import type { Adoption } from '../dialogs/adopted-signature.ts'
import { type Draft, type FieldValue, type Signature, useDraft } from './draft.ts'

/**
 * @param kept the draft as it was left before; null when there is none
 * @param onChange called before each change: what was reviewed is then no longer what would be signed
 */
export function useFilling(
  opened: Opened,
  kept: Draft | null,
  { adopted, adopt: goOnUsing }: Adoption,
  onChange: () => void,
) {
  const { draft, fill, adopt } = useDraft(opened, kept)
  return {
    draft,
    write(index: number, value: FieldValue) {
      onChange()
      fill(index, value)
    },
    /** Places the signature that is at hand; null when there is none. */
    place:
      adopted &&
      (() => {
        onChange()
        adopt(adopted)
      }),
    /** Places another signature, and continues using it. */
    give(signature: Signature) {
      onChange()
      goOnUsing(signature)
      adopt(signature)
    },
  }
}
