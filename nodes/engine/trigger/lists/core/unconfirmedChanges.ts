/** The changes of one list whose starts n8n has not confirmed, and the cursor at which each was read. */
export class UnconfirmedChanges {
	private readonly changes = new Set<{ resumeFrom: number | undefined }>();

	/**
	 * Adds a change. From the cursor `resumeFrom`, the next process reads its record again. Returns the function that
	 * confirms the change.
	 */
	add(resumeFrom: number | undefined): () => void {
		const change = { resumeFrom };
		this.changes.add(change);
		return () => this.changes.delete(change);
	}

	/** Returns the cursor from which a poll reads all of these changes again: `reached`, or an earlier one. */
	earliestCursor(reached: number | undefined): number | undefined {
		let cursor = reached;
		for (const { resumeFrom } of this.changes) {
			if (cursor === undefined || resumeFrom === undefined) return undefined;
			cursor = Math.min(cursor, resumeFrom);
		}
		return cursor;
	}
}
