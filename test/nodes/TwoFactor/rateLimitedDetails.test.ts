// Protects the service from early polls: after a 429 the trigger waits for Retry-After, and then reads the decision.
import { Client, connectionOf } from '../../../nodes/engine/http/client';
import { POLL_SEND_OPTIONS, pollOnce } from '../../../nodes/engine/http/pollOnce';
import { service } from '../../../nodes/TwoFactor/service';
import { definition } from '../../../nodes/TwoFactor/trigger/definition';

const ID = 'u-1';
const RETRY_AFTER_SECONDS = 7;

jest.useFakeTimers();

/** Polls an approved request of the application 4711 once; `paths` receives the requests. */
function createPoll(applicationId: number, paths: string[]) {
	let isLimited = true;
	const connection = connectionOf(
		service,
		{ baseUrl: `http://localhost/${applicationId}`, apiKey: 'key' },
		async ({ url }) => {
			paths.push(new URL(url).pathname.split('/').at(-1)!);
			if (url.endsWith(ID)) {
				const approval = { uuid: ID, status: 'approved', _app_serial_id: 4711 };
				return json(200, { approval_request: approval, success: true });
			}
			const details = { app: { app_id: applicationId }, success: true };
			const response = isLimited ? json(429, { message: 'Slow down' }) : json(200, details);
			isLimited = false;
			return response;
		},
	);
	const client = new Client(connection, POLL_SEND_OPTIONS);
	const watched = { id: ID, pollNumber: 1, seenOutstanding: true };
	return async () =>
		await pollOnce(
			client,
			definition.request(ID),
			async (response) => await definition.interpret(response, { watched, client, options: {} }),
		);
}

const json = (statusCode: number, body: object) => ({
	statusCode,
	headers: {
		'content-type': 'application/json',
		...(statusCode === 429 && { 'retry-after': `${RETRY_AFTER_SECONDS}` }),
	},
	body: JSON.stringify(body),
});

it.each([
	[4711, 'finished'],
	[9, 'unrecognized'],
])(
	'the trigger waits as long as the service asks before it reads the details of application %i',
	async (applicationId, kind) => {
		const paths: string[] = [];
		const poll = createPoll(applicationId, paths);
		const limited = await poll();
		expect(limited).toEqual({ kind: 'rateLimited', retryAfterMs: expect.any(Number) as number });
		const { retryAfterMs } = limited as { retryAfterMs: number };
		expect(retryAfterMs).toBeGreaterThanOrEqual(RETRY_AFTER_SECONDS * 1000);
		jest.advanceTimersByTime(retryAfterMs + 1);
		const second = poll();
		await jest.advanceTimersByTimeAsync(1000);
		expect(await second).toMatchObject({ kind });
		expect(paths).toEqual([ID, 'details', ID, 'details']);
	},
);
