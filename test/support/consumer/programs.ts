/** What an editor and a compiler make of programs that use the built package. */
import { join } from 'node:path'
import ts from 'typescript-5.9'
import { root } from '../built.ts'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  types: ['node'],
  skipLibCheck: true,
}

/**
 * Programs that lie beside the sources and reach the package by its name.
 * @param texts by name, such as `a.mts` or `a.cts`
 */
export function programs(texts: Readonly<Record<string, string>>, options: ts.CompilerOptions = {}) {
  const files = new Map(Object.entries(texts).map(([name, text]) => [join(root, name), text]))
  const read = (file: string) => files.get(file) ?? ts.sys.readFile(file)
  const service = ts.createLanguageService({
    getScriptFileNames: () => [...files.keys()],
    getScriptVersion: () => '1',
    getScriptSnapshot(file) {
      const text = read(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({ ...OPTIONS, ...options }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (file) => files.has(file) || ts.sys.fileExists(file),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
  return {
    /** What is wrong with a program, a sentence each. */
    mistakesOf: (name: string): string[] =>
      service
        .getSemanticDiagnostics(join(root, name))
        .concat(service.getSyntacticDiagnostics(join(root, name)))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    /** What an editor shows where the text first ends: the type, then what the documentation says. */
    hover(name: string, text: string): { type: string; says: string } {
      const at = files.get(join(root, name))!.indexOf(text) + text.length - 1
      const shown = service.getQuickInfoAtPosition(join(root, name), at)
      const tags = shown?.tags?.map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`) ?? []
      return {
        type: ts.displayPartsToString(shown?.displayParts),
        says: [ts.displayPartsToString(shown?.documentation), ...tags].join('\n'),
      }
    },
  }
}
