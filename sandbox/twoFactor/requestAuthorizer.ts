import type { HandlerResponse, ServiceRequest } from '../service';
import { createErrorResponse } from './errors';
import type { TwoFactorState } from './state';

const MINUTE_MS = 60_000;

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
		if (headers[headerName.toLowerCase()] !== apiKey) return createErrorResponse('60001');
		if (settings.suspended) return createErrorResponse('60060');
		const waitSeconds = this.countRequestOrGetWaitSeconds();
		if (waitSeconds > 0)
			return { ...createErrorResponse('60003'), headers: { 'retry-after': String(waitSeconds) } };
		statistics.count('api_calls');
		return undefined;
	}

	/** Counts the request and returns 0 if it is within the limit. Otherwise returns the seconds to wait. */
	private countRequestOrGetWaitSeconds(): number {
		const { world, settings } = this.state;
		if (settings.requestsPerMinute <= 0) return 0;
		const now = world.now();
		this.recentRequestTimes = this.recentRequestTimes.filter(
			(receivedAt) => receivedAt > now - MINUTE_MS,
		);
		if (this.recentRequestTimes.length < settings.requestsPerMinute) {
			this.recentRequestTimes.push(now);
			return 0;
		}
		return Math.max(1, Math.ceil((this.recentRequestTimes[0]! + MINUTE_MS - now) / 1000));
	}
}
