/** The reason of a status as people read it: the interface's path of a member becomes the name of the thing. Pure. */

/** Returns the reason without a path at its beginning. What a person wrote stays as it is. */
export function reasonInWords(reason: string): string {
  return reason.replace(PATH, (path: string) => {
    const [, index, part] = FIELD.exec(path) ?? []
    if (index === undefined) return NAMES.find(([start]) => path.startsWith(start))?.[1] ?? 'Document'
    const number = Number(index) + 1
    return part === undefined ? `Field ${number}` : `${wordsOf(part)} of field ${number}`
  })
}

/** Ingestion begins a reason with `document.attachment: …` or `document.annotations.data[0].top: …`, at times without the colon. */
const PATH = /^document(?:\.[a-zA-Z]+(?:\[\d+\])?)+(?=:? )/
const FIELD = /\.data\[(\d+)\](?:\.([a-zA-Z]+))?$/

/** The first whose path is the beginning. */
const NAMES = [
  ['document.attachment', 'PDF'],
  ['document.annotations.templateId', 'Template'],
  ['document.annotations', 'Fields'],
] as const

function wordsOf(part: string): string {
  const words = part.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`
}
