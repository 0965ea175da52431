import type { PollResult } from '../../../nodes/engine/watch';
import type { WatcherActivation } from './idHistory';

/** Kind of the last responses for an ID, and how many there were in a row. */
interface Row {
	kind: PollResult['kind'];
	times: number;
	since: number;
}

/** Responses that the watcher got, as far as they justify an outcome. */
export class ResponseLog {
	private readonly rows = new Map<string, Row>();
	private readonly blamed = new Map<string, boolean>();

	/** Records a response that the watcher gets. A failure of all requests says nothing about one ID. */
	note({ goodAt, since }: WatcherActivation, id: string, { kind }: PollResult, at: number): void {
		if (['unavailable', 'rateLimited', 'failed'].includes(kind)) return;
		const before = this.rows.get(id);
		const row = before?.kind === kind ? before : { kind, times: 0, since: at };
		row.times++;
		this.rows.set(id, row);
		if (kind !== 'unrecognized') goodAt.set(id, at);
		else {
			const from = goodAt.has(id) ? row.since : since.get(id)!;
			this.blamed.set(
				id,
				[...goodAt].some(([other, when]) => other !== id && when >= from),
			);
		}
	}

	/** Whether the last three responses for an ID, or more, were of this kind. */
	endsWithThree(id: string, kind: PollResult['kind']): boolean {
		const row = this.rows.get(id);
		return row?.kind === kind && row.times >= 3;
	}

	/** Whether other IDs had good responses while those of this ID were unrecognized. */
	isBlamed(id: string): boolean {
		return this.blamed.get(id) === true;
	}
}
