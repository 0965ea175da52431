import type { ServiceName } from './serviceName';

/** One request to a service. Never contains keys, bodies or one-time codes. */
export interface LoggedRequest {
	at: number;
	service: ServiceName;
	/** Missing if no operation of the contract matches. */
	operationId?: string;
	method: string;
	/** The path with its parameters; an ellipsis replaces secret ones. */
	path: string;
	query: Record<string, string>;
	/** Status of the response; 0 if the connection was dropped. Missing while the request is in progress. */
	status?: number;
}

/** Keeps the newest requests and counts all of them. */
export class RequestLog {
	private recentRequests: LoggedRequest[] = [];
	private countsByKey = new Map<string, number>();

	constructor(private readonly maxEntries = 10_000) {}

	/** Records a request on arrival; the caller sets `status` with the response. */
	add(entry: LoggedRequest): void {
		// Trimming in blocks takes amortized O(1) per request.
		if (this.recentRequests.length >= this.maxEntries * 2)
			this.recentRequests = this.recentRequests.slice(-this.maxEntries);
		this.recentRequests.push(entry);
		const key = `${entry.service}.${entry.operationId ?? 'unknown'}`;
		this.countsByKey.set(key, (this.countsByKey.get(key) ?? 0) + 1);
	}

	/** Returns the newest requests (at most the limit), oldest first. */
	entries(filter: { service?: ServiceName; operationId?: string } = {}): LoggedRequest[] {
		return this.recentRequests
			.slice(-this.maxEntries)
			.filter(
				(entry) =>
					(!filter.service || entry.service === filter.service) &&
					(!filter.operationId || entry.operationId === filter.operationId),
			);
	}

	/** Returns the number of requests since the last reset, including rejected and failed ones. */
	count(service: ServiceName, operationId?: string): number {
		if (operationId) return this.countsByKey.get(`${service}.${operationId}`) ?? 0;
		return Object.values(this.counts()[service] ?? {}).reduce((sum, count) => sum + count, 0);
	}

	/** Returns the counts by service and operation. */
	counts(): Partial<Record<ServiceName, Record<string, number>>> {
		const result: Partial<Record<ServiceName, Record<string, number>>> = {};
		for (const [key, count] of this.countsByKey) {
			const [service, operationId] = key.split('.') as [ServiceName, string];
			(result[service] ??= {})[operationId] = count;
		}
		return result;
	}

	clear(): void {
		this.recentRequests = [];
		this.countsByKey.clear();
	}
}
