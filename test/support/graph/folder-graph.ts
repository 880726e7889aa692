/** The imports of a tree as a graph: which folder stands on which. A file beside the folders counts as one of them. */
import type { Import } from './imports.ts'

/** Each folder with those it imports from. */
export type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>

export function folderGraph(imports: readonly Import[], folderOf = topFolder): FolderGraph {
  const graph = new Map<string, Set<string>>()
  for (const { from, to, isPackage } of imports) {
    if (isPackage) continue
    const [above, below] = [folderOf(from), folderOf(to)]
    const known = graph.get(above) ?? new Set()
    graph.set(above, known)
    if (above !== below) known.add(below)
    if (!graph.has(below)) graph.set(below, new Set())
  }
  return graph
}

/** The nodes are one folder, because their pairs of files and what they share belong together, and so are the testing tools. */
const topFolder = (file: string): string =>
  /^(nodes|testing)\//.exec(file)?.[1] ?? file.split('/').slice(0, 2).join('/')

/** The folders one floor further down, as in `nodes/shared/form`. */
export const room = (file: string): string => file.split('/').slice(0, 3).join('/')

/** All that a folder stands on, directly or not. */
function allBelow(graph: FolderGraph, folder: string): Set<string> {
  const found = new Set<string>()
  const visit = (at: string) => {
    for (const below of graph.get(at) ?? []) {
      if (found.has(below)) continue
      found.add(below)
      visit(below)
    }
  }
  visit(folder)
  return found
}

/** The folders that stand on themselves by way of others. */
export const inCircles = (graph: FolderGraph): string[] =>
  [...graph.keys()].filter((folder) => allBelow(graph, folder).has(folder)).sort()

/**
 * The graph as text, a line per folder, each above those it stands on. Arrows that follow from others are left out. Only for a
 * graph without circles.
 */
export function drawn(graph: FolderGraph): string {
  const heights = new Map<string, number>()
  const heightOf = (folder: string): number => {
    const known = heights.get(folder)
    if (known !== undefined) return known
    const height = 1 + Math.max(-1, ...[...(graph.get(folder) ?? [])].map(heightOf))
    heights.set(folder, height)
    return height
  }
  const folders = [...graph.keys()].sort((a, b) => heightOf(b) - heightOf(a) || a.localeCompare(b))
  const width = Math.max(...folders.map(({ length }) => length))
  return folders.map((folder) => `${folder.padEnd(width)}  ${nextBelow(graph, folder).join('  ')}`.trimEnd()).join('\n')
}

function nextBelow(graph: FolderGraph, folder: string): string[] {
  const direct = [...(graph.get(folder) ?? [])].sort()
  return direct.filter((below) => !direct.some((other) => other !== below && allBelow(graph, other).has(below)))
}
