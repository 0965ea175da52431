import type { ServiceName } from './serviceName';

/** One request that reached a service. Never holds keys, bodies or one-time codes. */
export interface JournalEntry {
	at: number;
	service: ServiceName;
	/** Absent when no operation of the contract fits. */
	operationId?: string;
	method: string;
	/** The path with its parameters, secret ones replaced by an ellipsis. */
	path: string;
	query: Record<string, string>;
	/** What was answered; 0 when the connection was dropped. Absent while in progress. */
	status?: number;
}

/** Remembers the newest requests and counts all of them. */
export class Journal {
	private kept: JournalEntry[] = [];
	private counters = new Map<string, number>();

	constructor(private readonly limit = 10_000) {}

	/** Records a request as it arrives; the caller sets `status` when it is answered. */
	add(entry: JournalEntry): void {
		// Trimming in blocks keeps this O(1) per request.
		if (this.kept.length >= this.limit * 2) this.kept = this.kept.slice(-this.limit);
		this.kept.push(entry);
		const key = `${entry.service}.${entry.operationId ?? 'unknown'}`;
		this.counters.set(key, (this.counters.get(key) ?? 0) + 1);
	}

	/** The newest requests (at most the limit), oldest first. */
	entries(filter: { service?: ServiceName; operationId?: string } = {}): JournalEntry[] {
		return this.kept
			.slice(-this.limit)
			.filter(
				(entry) =>
					(!filter.service || entry.service === filter.service) &&
					(!filter.operationId || entry.operationId === filter.operationId),
			);
	}

	/** How many requests arrived since the last reset, refused and failed ones included. */
	count(service: ServiceName, operationId?: string): number {
		if (operationId) return this.counters.get(`${service}.${operationId}`) ?? 0;
		return Object.values(this.counts()[service] ?? {}).reduce((sum, count) => sum + count, 0);
	}

	/** Counts per service and operation. */
	counts(): Partial<Record<ServiceName, Record<string, number>>> {
		const result: Partial<Record<ServiceName, Record<string, number>>> = {};
		for (const [key, count] of this.counters) {
			const [service, operationId] = key.split('.') as [ServiceName, string];
			(result[service] ??= {})[operationId] = count;
		}
		return result;
	}

	clear(): void {
		this.kept = [];
		this.counters.clear();
	}
}
