/**
 * Writes what the contract says about its schemas into the declarations that were built, where the compiler leaves it out: above
 * each field of a schema and each operation, so that editors show it. Zod's types pass such comments on to the types they infer.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5.9'
import * as z from 'zod'
import { sourceComments } from './source-comments.ts'

/** The texts about a schema that people read. */
interface Told {
  description: string
}
type Registry = { get(schema: z.ZodType): Told | undefined }
type Insert = { at: number; text: string }

/** The folders and files whose exported schemas are documented. */
const DOCUMENTED = ['lib/contract/**', 'lib/profile/**', 'server/config', 'server/operations/sandbox/fault']

/** @param made the folder of the build @param root that of the sources */
export async function documentDeclarations(made: string, root: string): Promise<void> {
  const load = (file: string) => import(pathToFileURL(join(root, file)).href) as Promise<Record<string, unknown>>
  const { docs } = (await load('lib/contract/docs.ts')) as { docs: Registry }
  for (const file of globSync(
    DOCUMENTED.map((place) => `${place}${place.endsWith('**') ? '/*' : ''}.d.ts`),
    { cwd: made },
  )) {
    const path = join(made, file)
    const source = ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
    const from = file.replace(/\.d\.ts$/, '.ts')
    const values = await load(from)
    const comments = new Map([...sourceComments(join(root, from)), ...summariesOf(values)])
    const inserts = insertsOf(source, values, docs, comments)
    if (inserts.length > 0) writeFileSync(path, inserted(source.text, inserts))
  }
}

/** Returns the summaries of a table of settings, by the names of the settings. */
const summariesOf = ({ SETTINGS: table = {} }: Record<string, unknown>): [string, string][] =>
  Object.entries(table as Record<string, { summary: string }>).map(([name, { summary }]) => [name, `${summary}.`])

function insertsOf(
  source: ts.SourceFile,
  values: Record<string, unknown>,
  docs: Registry,
  comments: ReadonlyMap<string, string>,
): Insert[] {
  const inserts: Insert[] = []
  const tell = (node: ts.Node, text: string | undefined) => {
    if (!text || ts.getJSDocCommentsAndTags(node).length > 0) return
    const at = node.getStart(source)
    const indent = ' '.repeat(source.getLineAndCharacterOfPosition(at).character)
    const lines = text.split('\n').map((line) => `${indent} * ${line}\n`)
    inserts.push({ at, text: `/**\n${lines.join('')}${indent} */\n${indent}` })
  }

  function visit(type: ts.TypeNode | undefined, value: unknown): void {
    if (!type) return
    if (ts.isTypeOperatorNode(type)) visit(type.type, value)
    else if (ts.isTypeLiteralNode(type)) visitMembers(type, (name) => (value as Record<string, unknown>)?.[name])
    else if (ts.isTupleTypeNode(type) && Array.isArray(value))
      for (const [index, element] of type.elements.entries()) visit(element, value[index])
    else if ((ts.isTypeReferenceNode(type) || ts.isImportTypeNode(type)) && value instanceof z.ZodType)
      visitSchema(type.typeArguments ?? [], value)
  }

  function visitSchema([first, second]: readonly ts.TypeNode[], schema: z.ZodType): void {
    const { innerType, in: input, out } = schema._zod.def as { innerType?: unknown; in?: unknown; out?: unknown }
    if (schema instanceof z.ZodObject) visit(first, schema.shape)
    else if (schema instanceof z.ZodArray) visit(first, schema.element)
    else if (schema instanceof z.ZodUnion) visit(first, schema.options)
    else {
      visit(first, innerType ?? input)
      visit(second, out)
    }
  }

  function visitMembers(literal: ts.TypeLiteralNode, memberOf: (name: string) => unknown): void {
    for (const member of literal.members) {
      if (!ts.isPropertySignature(member)) continue
      const name = member.name.getText(source)
      const value = memberOf(name)
      tell(member, value instanceof z.ZodType ? toldOf(value, docs, comments.get(name)) : summaryOf(value))
      visit(member.type, value)
    }
  }

  const toldOfExport = (name: ts.Node) => {
    const value = values[name.getText(source)]
    return value instanceof z.ZodType ? docs.get(value)?.description : undefined
  }
  for (const statement of source.statements) {
    if (ts.isTypeAliasDeclaration(statement)) tell(statement, toldOfExport(statement.name))
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, type } of statement.declarationList.declarations) {
      const value = values[name.getText(source)]
      if (value === undefined) continue
      tell(statement, toldOfExport(name))
      visit(type, value)
    }
  }
  return inserts
}

/** Returns the texts registered for a schema or for what it wraps, else the comment above its field; and its default. */
function toldOf(schema: z.ZodType, docs: Registry, comment: string | undefined): string | undefined {
  let told: string | undefined
  let defaultValue: unknown
  for (let inner: z.ZodType | undefined = schema; inner; inner = innerOf(inner)) {
    told ??= docs.get(inner)?.description
    if (inner instanceof z.ZodDefault) defaultValue ??= inner.def.defaultValue
  }
  const isLong = typeof defaultValue === 'object'
  const tag = defaultValue === undefined || isLong ? undefined : `@defaultValue ${JSON.stringify(defaultValue)}`
  return [told ?? comment, tag].filter(Boolean).join('\n').replaceAll('*/', '*\\/') || undefined
}

const innerOf = (schema: z.ZodType): z.ZodType | undefined =>
  (schema._zod.def as { innerType?: z.ZodType; in?: z.ZodType }).innerType ?? (schema._zod.def as { in?: z.ZodType }).in

/** An operation of the table says what it does. */
function summaryOf(value: unknown): string | undefined {
  const { summary, description } = (value ?? {}) as { summary?: unknown; description?: unknown }
  return typeof summary === 'string' ? [`${summary}.`, description].filter(Boolean).join(' ') : undefined
}

function inserted(text: string, inserts: readonly Insert[]): string {
  return [...inserts]
    .sort((a, b) => b.at - a.at)
    .reduce((written, { at, text: comment }) => written.slice(0, at) + comment + written.slice(at), text)
}
