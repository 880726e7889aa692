/** The texts that a running Node-RED offers to an editor in some language. */
import type { NodeRed } from './node-red.ts'

const MODULE = '@countersign/node-red-document-signature'

interface Texts {
  [key: string]: string | Texts
}

/** The catalogues of the nodes, by the names of their sets. A language as a browser names it, such as `es-MX`. */
export async function offeredTexts(red: NodeRed, language: string): Promise<Record<string, Texts>> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(red.adminUrl(`nodes/messages?lng=${language}`), { headers })
  const all = (await answer.json()) as Record<string, Texts>
  const own = Object.entries(all).filter(([name]) => name.startsWith(MODULE))
  return Object.fromEntries(own.map(([name, texts]) => [name.slice(MODULE.length + 1), texts]))
}

/** The help page of a type, as HTML. */
export async function offeredHelp(red: NodeRed, language: string, type: string): Promise<string> {
  const headers = { accept: 'text/html', 'accept-language': language }
  const html = await (await fetch(red.adminUrl('nodes'), { headers })).text()
  return new RegExp(`data-help-name="${type}">([\\s\\S]*?)</script>`).exec(html)?.[1] ?? ''
}
