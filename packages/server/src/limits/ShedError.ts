/** Why work was refused: the queue was full, or it waited too long. */
export type ShedReason = 'queue_full' | 'waited'

/** Thrown if there is no room for work. */
export class ShedError extends Error {
  override readonly name = 'ShedError'
  constructor(readonly reason: ShedReason) {
    super('Work was refused.')
  }
}
