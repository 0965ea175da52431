import type { HandlerResponse, ServiceRequest } from '../service';
import { failureResponse } from './failures';
import type { State } from './state';

/** Accepts and counts requests with the right key; rejects the others. */
export class Gate {
	/** Times of the newest requests, while a limit is set. */
	private recent: number[] = [];

	constructor(private readonly state: State) {}

	reset(): void {
		this.recent = [];
	}

	check(headers: ServiceRequest['headers']): HandlerResponse | undefined {
		const { world, settings, statistics } = this.state;
		const { apiKey, headerName } = world.demo.twoFactor;
		if (headers[headerName.toLowerCase()] !== apiKey) return failureResponse('60001');
		if (settings.suspended) return failureResponse('60060');
		const wait = this.secondsToWait();
		if (wait > 0) return { ...failureResponse('60003'), headers: { 'retry-after': String(wait) } };
		statistics.count('api_calls');
		return undefined;
	}

	/** Returns 0 if the request is within the limit, and counts it. */
	private secondsToWait(): number {
		const { world, settings } = this.state;
		if (settings.requestsPerMinute <= 0) return 0;
		const now = world.now();
		this.recent = this.recent.filter((at) => at > now - 60_000);
		if (this.recent.length < settings.requestsPerMinute) {
			this.recent.push(now);
			return 0;
		}
		return Math.max(1, Math.ceil((this.recent[0]! + 60_000 - now) / 1000));
	}
}
