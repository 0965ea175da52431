import type { HandlerResponse, ServiceRequest } from '../service';
import { errorResponse } from './errors';
import type { TwoFactorState } from './state';

/** Accepts and counts requests with the right key; rejects the others. */
export class RequestAuthorizer {
	/** Times of the newest requests, while a limit is set. */
	private recentRequestTimes: number[] = [];

	constructor(private readonly state: TwoFactorState) {}

	reset(): void {
		this.recentRequestTimes = [];
	}

	authorize(headers: ServiceRequest['headers']): HandlerResponse | undefined {
		const { world, settings, statistics } = this.state;
		const { apiKey, headerName } = world.demo.twoFactor;
		if (headers[headerName.toLowerCase()] !== apiKey) return errorResponse('60001');
		if (settings.suspended) return errorResponse('60060');
		const waitSeconds = this.countOrDelayRequest();
		if (waitSeconds > 0)
			return { ...errorResponse('60003'), headers: { 'retry-after': String(waitSeconds) } };
		statistics.count('api_calls');
		return undefined;
	}

	/** Counts the request and returns 0 if it is within the limit. Otherwise returns the seconds to wait. */
	private countOrDelayRequest(): number {
		const { world, settings } = this.state;
		if (settings.requestsPerMinute <= 0) return 0;
		const now = world.now();
		this.recentRequestTimes = this.recentRequestTimes.filter((at) => at > now - 60_000);
		if (this.recentRequestTimes.length < settings.requestsPerMinute) {
			this.recentRequestTimes.push(now);
			return 0;
		}
		return Math.max(1, Math.ceil((this.recentRequestTimes[0]! + 60_000 - now) / 1000));
	}
}
