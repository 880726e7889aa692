/** Unpacks the streams that hold structure: cross-references and packed objects. Their filters are few; content is not read here. */
import { inflate } from './inflate.ts'
import { countOf, entryOf, nameOf, SyntaxProblem, type Value } from './value.ts'

const isFlate = (name: string | null): boolean => name === 'FlateDecode' || name === 'Fl'

/** @param cap in bytes */
export function unpack(dictionary: Value, data: Buffer, cap: number): Buffer {
  const filter = onlyItem(entryOf(dictionary, 'Filter'))
  if (filter === undefined) return data
  if (!isFlate(nameOf(filter))) throw new SyntaxProblem('structure behind an unusual filter')
  const inflated = inflate(data, cap)
  if (typeof inflated === 'string') throw new SyntaxProblem(`structure that is ${inflated}`)
  return unpredicted(onlyItem(entryOf(dictionary, 'DecodeParms')), inflated)
}

/** One filter may be written alone or as an array. */
function onlyItem(value: Value | undefined): Value | undefined {
  if (value?.kind === 'null') return undefined
  if (value?.kind !== 'array') return value
  if (value.items.length > 1) throw new SyntaxProblem('structure behind several filters')
  return onlyItem(value.items[0])
}

/** PNG prediction, the only one that is in use for structure. */
function unpredicted(parameters: Value | undefined, data: Buffer): Buffer {
  if (parameters === undefined) return data
  const stated = (key: string, otherwise: number) => {
    const value = entryOf(parameters, key)
    return value === undefined ? otherwise : countOf(value)
  }
  const predictor = stated('Predictor', 1)
  if (predictor === 1) return data
  const columns = stated('Columns', 1)
  const isPlain = stated('Colors', 1) === 1 && stated('BitsPerComponent', 8) === 8
  if (predictor === null || predictor < 10 || predictor > 15 || !columns || columns > 64 || !isPlain) {
    throw new SyntaxProblem('structure with an unusual predictor')
  }
  return undoPng(data, columns)
}

function undoPng(data: Buffer, columns: number): Buffer {
  const rows = Math.floor(data.length / (columns + 1))
  const result = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const type = data[row * (columns + 1)]!
    if (type > 4) throw new SyntaxProblem('structure with an unusual predictor')
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const left = column > 0 ? result[at - 1]! : 0
      const up = row > 0 ? result[at - columns]! : 0
      const corner = column > 0 && row > 0 ? result[at - columns - 1]! : 0
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type]!
      result[at] = data[row * (columns + 1) + 1 + column]! + predicted
    }
  }
  return result
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}
