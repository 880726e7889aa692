/** Copies everything from the DocumentReference that was sent into the signed one, except what is listed here. Pure. */

type Raw = Readonly<Record<string, unknown>>

/** The elements that are not copied, and why. */
export const NOT_COPIED = {
  resourceType: 'the result has its own',
  id: 'the server gives the result one',
  meta: 'version and profile belong to the document that was sent; security labels and tags of meta are copied',
  implicitRules: 'the result is not made by those rules',
  text: 'the narrative describes the document that was sent',
  contained: 'what refers to a contained resource names its identifier instead',
  masterIdentifier: 'names the document that was sent, which relatesTo refers to',
  identifier: 'names the document that was sent, which relatesTo refers to',
  status: 'the result is current',
  docStatus: 'the result is final',
  date: 'the result has the time of the signature',
  authenticator: 'the one who signed, as the seal says',
  relatesTo: 'the result replaces the document that was sent',
  content: 'the signed PDF; the title, language and format of the first PDF are copied',
} as const

/** Members of an attachment that describe the file that was sent. */
export const NOT_COPIED_OF_ATTACHMENT = ['id', 'contentType', 'data', 'url', 'size', 'hash', 'creation'] as const

/** Returns what is copied, before its references are read. */
export function copiedOf(document: Raw): Raw {
  const kept = Object.entries(document).filter(([name]) => !Object.hasOwn(NOT_COPIED, name.replace(/^_/, '')))
  const { security, tag } = (document.meta ?? {}) as Raw
  const meta = { ...(Array.isArray(security) && { security }), ...(Array.isArray(tag) && { tag }) }
  const contents = [document.content ?? []].flat() as Raw[]
  const content = contents.find(isPdf) ?? contents[0]
  return {
    ...Object.fromEntries(kept),
    ...(Object.keys(meta).length > 0 && { meta }),
    ...(content && { content: [withoutFile(content)] }),
  }
}

const isPdf = ({ attachment }: Raw) => /^application\/pdf\b/i.test(String((attachment as Raw | undefined)?.contentType))

function withoutFile({ attachment, ...content }: Raw): Raw {
  const own: readonly string[] = NOT_COPIED_OF_ATTACHMENT
  const kept = Object.entries((attachment ?? {}) as Raw).filter(([name]) => !own.includes(name.replace(/^_/, '')))
  return { ...content, attachment: Object.fromEntries(kept) }
}

/** Returns the value with each reference as `read` gives it; without those for which it gives nothing. */
export function withReferences(value: unknown, read: (reference: Raw) => unknown): unknown {
  if (Array.isArray(value)) {
    // A list of references and an empty place in it would mean something else.
    return value.flatMap((one) => {
      const item = withReferences(one, read)
      return item === undefined ? [] : [item]
    })
  }
  if (typeof value !== 'object' || value === null) return value
  if (typeof (value as Raw).reference === 'string') return read(value as Raw)
  const parts = Object.entries(value).map(([name, part]) => [name, withReferences(part, read)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}
