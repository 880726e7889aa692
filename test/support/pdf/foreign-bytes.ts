/** What other systems, and attackers, put around a document or into it. */
import { crc32 } from 'node:zlib'

/** A ZIP archive with one stored file. */
export function zipOf(name: string, content: string): Buffer {
  const [path, data] = [Buffer.from(name), Buffer.from(content)]
  const entry = Buffer.alloc(26)
  entry.writeUInt16LE(20, 0)
  entry.writeUInt32LE(crc32(data), 10)
  entry.writeUInt32LE(data.length, 14)
  entry.writeUInt32LE(data.length, 18)
  entry.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), entry, path, data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), entry, Buffer.alloc(14), path])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

export const PAGE = Buffer.from('<!DOCTYPE html><html><body><script>alert(1)</script><!--\n')

/** What a browser takes bytes for that have no type (WHATWG MIME Sniffing, 7.1): as far as it concerns documents. */
export function sniffed(bytes: Uint8Array): 'pdf' | 'html' | 'zip' | 'other' {
  const head = Buffer.from(bytes.subarray(0, 1445)).toString('latin1')
  if (
    /^[\t\n\f\r ]*<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P|!--)[ >-]/i.test(
      head,
    )
  )
    return 'html'
  if (head.startsWith('%PDF-')) return 'pdf'
  return head.startsWith('PK\x03\x04') ? 'zip' : 'other'
}

/** Whether a program finds the end of an archive where it looks for it: in the last 65,557 bytes, with its directory before it. */
export function isUnpackable(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes)
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < Math.max(0, file.length - 65_557) || end + 22 > file.length) return false
  const directory = end - file.readUInt32LE(end + 12)
  return directory === end || file.subarray(directory, directory + 4).equals(Buffer.from('PK\x01\x02', 'latin1'))
}
