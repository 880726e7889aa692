/** Finds what the built declarations offer without saying what it is. */
import { join, relative } from 'node:path'
import ts from 'typescript-5.9'
import { root } from '../built.ts'

const DIST = join(root, 'dist')

/**
 * Returns every export, method, field and option without a doc comment that the declarations lead to, such as
 * `lib/pdf/geometry.d.ts: Box.left`, sorted. A constant that holds data says what it is
 * as a whole, and the fields of a schema are those of its type.
 * @param doors paths in `dist`
 */
export function undocumented(doors: readonly string[]): string[] {
  const program = ts.createProgram(
    doors.map((door) => join(DIST, door)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    },
  )
  const checker = program.getTypeChecker()
  const found = new Set<string>()
  const seen = new Set<ts.Type>()

  const visitSymbol = (symbol: ts.Symbol, name: string): void => {
    const [declaration] = symbol.declarations ?? []
    if (declaration === undefined || !isOurs(declaration) || isHidden(declaration)) return
    if (symbol.getDocumentationComment(checker).length === 0)
      found.add(`${relative(DIST, declaration.getSourceFile().fileName)}: ${name}`)
    if (!ts.isVariableDeclaration(declaration)) visitType(checker.getTypeOfSymbolAtLocation(symbol, declaration), name)
  }

  function visitType(type: ts.Type, name: string): void {
    if (seen.has(type) || isZods(type)) return
    seen.add(type)
    if (type.isUnionOrIntersection()) for (const part of type.types) visitType(part, name)
    for (const argument of argumentsOf(type)) visitType(argument, name)
    if (!(type.flags & ts.TypeFlags.Object)) return
    for (const property of type.getProperties()) visitSymbol(property, `${nameOf(type) ?? name}.${property.name}`)
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (signature.declaration === undefined || !isOurs(signature.declaration)) continue
      for (const parameter of signature.parameters)
        visitType(checker.getTypeOfSymbolAtLocation(parameter, signature.declaration), `${name}(${parameter.name})`)
      visitType(signature.getReturnType(), name)
    }
  }

  const argumentsOf = (type: ts.Type): readonly ts.Type[] => [
    ...(type.aliasTypeArguments ?? []),
    ...(isReference(type) ? checker.getTypeArguments(type) : []),
  ]

  for (const door of doors) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(DIST, door))!)!
    for (const exported of checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
      if (symbol.flags & ts.SymbolFlags.Value) visitSymbol(symbol, exported.name)
      if (symbol.flags & ts.SymbolFlags.Type) visitType(checker.getDeclaredTypeOfSymbol(symbol), exported.name)
    }
  }
  return [...found].sort()
}

const isReference = (type: ts.Type): type is ts.TypeReference =>
  (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0

const nameOf = (type: ts.Type): string | undefined => {
  const name = (type.aliasSymbol ?? type.symbol)?.name
  return name?.startsWith('__') ? undefined : name
}

const isZods = (type: ts.Type) =>
  /\/node_modules\/zod\//.test(type.symbol?.declarations?.[0]?.getSourceFile().fileName ?? '')

const isOurs = (declaration: ts.Node) => declaration.getSourceFile().fileName.startsWith(DIST)

const isHidden = (declaration: ts.Declaration) =>
  (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0
