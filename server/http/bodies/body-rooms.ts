/** The rooms that bodies take while they are in memory, so that no kind of caller can keep out another. */
import { BODY_ROOMS, CREATE_BODY_ROOM, MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import { createRoom, type Room } from './room.ts'

export type BodyRooms = Readonly<Record<keyof typeof BODY_ROOMS | 'documents', Room>>

/**
 * However large documents may be, there is room for one from each of two senders at least.
 *
 * @param bodyMemory MiB for documents that are being sent
 */
export function createBodyRooms(maxAttachmentBytes: number, bodyMemory: number): BodyRooms {
  const forDocuments = bodyMemory * 1024 * 1024
  const roomFor = ({ total, each }: { total: number; each: number }, largest: number) =>
    createRoom({ total: Math.max(total, 2 * largest), each: Math.max(each, largest) })
  return {
    documents: roomFor({ total: forDocuments, each: forDocuments / 2 }, createBodyLimit(maxAttachmentBytes)),
    calls: createRoom(BODY_ROOMS.calls),
    signIns: createRoom(BODY_ROOMS.signIns),
    verification: roomFor(BODY_ROOMS.verification, maxAttachmentBytes),
    answers: roomFor(BODY_ROOMS.answers, maxAttachmentBytes),
  }
}

/** The largest body of a create: the document as Base64, and the rest. */
export const createBodyLimit = (maxAttachmentBytes: number): number =>
  Math.ceil((maxAttachmentBytes * 4 * CREATE_BODY_ROOM) / 3) + MAX_SMALL_BODY_BYTES
