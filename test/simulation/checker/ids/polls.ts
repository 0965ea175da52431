import type { History } from '../../history';
import { eventsOf } from '../verdict';
import type { EventOf, Verdict } from '../verdict';

/** A trigger concludes that an ID is gone from this many responses in a row. */
const REPEATED_RESPONSES = 3;
/** Responses that do not say what happened to an ID. Only `unrecognized` names an outcome. */
const UNRECOGNIZED = ['unrecognized', 'webPage', 'truncated', 'html', '404', '410'];
/** Faults after which a trigger knows nothing new about the ID of the request. */
const FAULTS_OF_SERVICE = [
	'canceled',
	'failed',
	'lostBefore',
	'lostAfter',
	'401',
	'429',
	'429 with Retry-After',
	'500',
	'503',
];

type Responses = Array<Pick<EventOf<'responded'>, 'fault'>>;

const isPollOf = (id: string) => (event: EventOf<'requested'>) => event.path.endsWith(`/${id}`);

/** Whether the last responses about an ID before a time said that the service does not know it. */
export const isGone = (history: History, id: string, before: number): boolean =>
	hadLastResponses(history, id, before, (last) => last.every(({ fault }) => fault === 'unknown'));

/** Whether the last responses about an ID before a time showed an end without a proof. */
export const isDoubtful = (history: History, id: string, before: number): boolean =>
	hadLastResponses(history, id, before, (last) => last.every(({ fault }) => fault === 'doubtful'));

/** Whether the last responses about an ID before a time were unrecognized, and one about another ID was not. */
export const isUnrecognized = (history: History, id: string, before: number): boolean =>
	hadLastResponses(
		history,
		id,
		before,
		(last, others) =>
			last.every(({ fault }) => UNRECOGNIZED.includes(String(fault))) &&
			last.at(-1)!.fault === 'unrecognized' &&
			others.some(({ fault }) => [undefined, 'unknown', 'doubtful', 'delayed'].includes(fault)),
	);

/**
 * Whether as many of the last responses about an ID as a conclusion needs, without failures of the service, justify it. They
 * have to be of one trigger and process: none knows the responses of another. `others` are about other IDs.
 */
function hadLastResponses(
	history: History,
	id: string,
	before: number,
	justify: (last: Responses, others: Responses) => boolean,
): boolean {
	const isOwn = isPollOf(id);
	const requests = eventsOf(history, 'requested');
	const responses = eventsOf(history, 'responded').filter(({ at }) => at <= before);
	const responsesTo = (sent: Array<EventOf<'requested'>>): Responses => {
		const numbers = new Set(sent.map(({ request }) => request));
		return responses.filter(({ request }) => numbers.has(request));
	};
	const senderOf = ({ process, trigger = '' }: EventOf<'requested'>) => `${process} ${trigger}`;
	return [...new Set(requests.map(senderOf))].some((sender) => {
		const sent = requests.filter((event) => senderOf(event) === sender);
		const last = responsesTo(sent.filter(isOwn))
			.filter(({ fault }) => fault === undefined || !FAULTS_OF_SERVICE.includes(fault))
			.slice(-REPEATED_RESPONSES);
		const others = responsesTo(sent.filter((event) => !isOwn(event)));
		return last.length === REPEATED_RESPONSES && justify(last, others);
	});
}

/** Checks when requests are sent. */
export function checkPolls(history: History, verdict: Verdict): void {
	checkRetryAfter(history, verdict);
	const [limits] = eventsOf(history, 'limits');
	if (limits && triggersIn(history).size <= 1) checkPace(history, limits, verdict);
}

const triggersIn = (history: History) =>
	new Set(eventsOf(history, 'entered').map(({ trigger }) => trigger));

/** Returns a path without the parts that contain a digit: a service limits requests of one kind together. */
const kindOf = (path: string) => path.replace(/[^/]*\d[^/]*/g, '*');

/**
 * Checks that a process sends nothing before the time that a service demanded: no request of the same kind and, if n8n has
 * one trigger only, no poll at all. A poll that was under way may still have to read the application.
 */
function checkRetryAfter(history: History, verdict: Verdict): void {
	const isAlone = triggersIn(history).size <= 1;
	const requests = new Map(eventsOf(history, 'requested').map((event) => [event.request, event]));
	const notBefore = new Map<string, number>();
	const demandsOn = ({ process, path }: EventOf<'requested'>) => {
		const kind = kindOf(path);
		const isPoll = kind !== path;
		return [`${process} ${kind}`, ...(isAlone && isPoll ? [`${process}`] : [])];
	};
	for (const event of history) {
		const request = event.type === 'responded' ? requests.get(event.request) : undefined;
		if (request && event.type === 'responded' && event.retryAfterMs) {
			const until = event.at + event.retryAfterMs;
			for (const scope of [`${request.process} ${kindOf(request.path)}`, `${request.process}`])
				notBefore.set(scope, Math.max(notBefore.get(scope) ?? 0, until));
		}
		if (event.type !== 'requested') continue;
		if (demandsOn(event).some((scope) => event.at < (notBefore.get(scope) ?? 0)))
			verdict.violate('Retry-After is kept', event.at, event.path);
	}
}

/** Checks the interval of each ID, its end, and the concurrency limit, within each process. */
function checkPace(
	history: History,
	{ intervalMs, maxInFlight }: EventOf<'limits'>,
	verdict: Verdict,
): void {
	const lastPolls = new Map<string, number>();
	const ended = new Set<string>();
	const inFlight = new Map<number, Set<number>>();
	const unclear: string[] = [];
	for (const event of history) {
		if (event.type === 'processStarted') inFlight.set(event.process, new Set());
		else if (event.type === 'responded')
			for (const requests of inFlight.values()) requests.delete(event.request);
		else if (event.type === 'startRequested')
			ended.add(`${event.process} ${event.key.split(':').at(-1)}`);
		else if (event.type === 'reported') {
			if (/unclear/i.test(event.message)) unclear.push(event.description);
		} else if (event.type === 'submitted')
			for (const process of inFlight.keys())
				for (const id of event.ids) {
					ended.delete(`${process} ${id}`);
					// An ID whose start was reported as unclear counts as new when it is submitted again.
					if (unclear.some((description) => description.includes(id)))
						lastPolls.delete(`${process} ${id}`);
				}
		else if (event.type === 'requested') {
			const requests = inFlight.get(event.process)!.add(event.request);
			const id = event.path.split('/').at(-1)!;
			const poll = `${event.process} ${id}`;
			if (event.at - (lastPolls.get(poll) ?? -Infinity) < intervalMs - 1)
				verdict.violate('an ID is not polled before its interval', event.at, id);
			if (ended.has(poll)) verdict.violate('an ID is not polled after its end', event.at, id);
			if (requests.size > maxInFlight)
				verdict.violate('the concurrency limit holds', event.at, event.path);
			lastPolls.set(poll, event.at);
		}
	}
}
