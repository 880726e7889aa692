/** Reads the comments above the fields of schemas from a source, because the compiler drops them from what it infers. */
import { readFileSync } from 'node:fs'
import ts from 'typescript-5.9'

/** Returns the text of the last comment in `/** … *\/` above each property, by the name of the property. */
export function sourceComments(file: string): ReadonlyMap<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const found = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const [comment] = ts.getJSDocCommentsAndTags(node)
      const text = comment && ts.isJSDoc(comment) ? ts.getTextOfJSDocComment(comment.comment) : undefined
      if (text) found.set(node.name.getText(source), text.replace(/\s+/g, ' '))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}
