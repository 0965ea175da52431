import type { IDataObject } from 'n8n-workflow';

import { redact } from '../errors';
import type { Batch } from '../operation';
import { isOpen } from '../quorum/votes';
import { shorten } from '../values/convert';
import type { ItemState, ItemWait, WaitTarget } from './parkedState';
import { openRequestsOf } from './quorumWait';
import type { QuorumWait } from './quorumWait';
import type { WaitDefinition } from './waitDefinition';

/** What one item of a parked execution waits for. n8n stores it with the hint of the parked run, and drops both on resuming. */
export interface VisibleWait extends IDataObject {
	question?: string;
	/** The people without an answer, or the ID of the job. */
	waitingFor: string;
	waitingSince: string;
	waitingUntil?: string;
	waitingAtLevel?: string;
	/** For example "1 of 2". */
	approvalsSoFar?: string;
}

/** Items that are described. The others would make a parked execution with many items larger, and no one reads them. */
const MAX_VISIBLE_ITEMS = 10;

/** Describes the waits of an execution for its users. An agent does not get the hints of its tools. */
export function describeWaits<V, W extends WaitTarget>(
	{ calls }: Pick<Batch<V>, 'calls'>,
	{ questionOf, nameOf, quorum: quorumDefinition }: WaitDefinition<V, W>,
	itemStates: Array<ItemState<W>>,
): VisibleWait[] {
	const waits: VisibleWait[] = [];
	for (const [index, item] of itemStates.entries()) {
		if ('failed' in item || !(item.wait || item.quorum)) continue;
		if (waits.length === MAX_VISIBLE_ITEMS) break;
		const { output, wait, quorum } = item;
		const question = questionOf?.(output, wait?.target);
		const call = calls[index]!;
		const describePerson = (person: string) =>
			(quorum ? quorumDefinition?.nameOf?.(quorum.data, person) : nameOf?.(call, person)) ?? person;
		waits.push({
			...(question !== undefined && { question: redact(question, call.secrets()) }),
			...(quorum ? describeQuorum(quorum, describePerson) : describeWait(wait!, describePerson)),
		});
	}
	return waits;
}

const describeWait = (
	{ target, since, until = Infinity }: ItemWait<WaitTarget>,
	describePerson: (person: string) => string,
): VisibleWait => ({
	waitingFor:
		target.subject === undefined ? `the answer to ${target.id}` : describePerson(target.subject),
	...describeTimes(since, Math.min(until, target.expiresAt ?? Infinity)),
});

/** Describes the current level: its people without an answer, and its approvals so far. */
function describeQuorum(
	quorum: QuorumWait,
	describePerson: (person: string) => string,
): VisibleWait {
	const { policy, progress, since } = quorum;
	const level = policy.levels[progress.level]!;
	const requests = progress.requests.filter((request) => request.level === progress.level);
	const open = openRequestsOf(quorum);
	const peopleWith = (isCounted: (request: (typeof requests)[number]) => boolean) => [
		...new Set(requests.filter(isCounted).map(({ person }) => person)),
	];
	const approvals = peopleWith(({ status }) => status === 'approved').length;
	const expiresAt = Math.max(...open.map((request) => request.expiresAt));
	return {
		waitingFor: peopleWith(isOpen).map(describePerson).join(', '),
		waitingAtLevel: level.name,
		approvalsSoFar: `${approvals} of ${level.needed}`,
		...describeTimes(since, policy.limitAt ?? expiresAt),
	};
}

const describeTimes = (since: number, until: number) => ({
	waitingSince: new Date(since).toISOString(),
	...(Number.isFinite(until) && { waitingUntil: new Date(until).toISOString() }),
});

/** Describes a wait in one sentence, for the hint of the parked node. */
export function toWaitSentence({ question, ...wait }: VisibleWait, timezone: string): string {
	const { waitingFor, waitingSince, waitingUntil, waitingAtLevel: level, approvalsSoFar } = wait;
	const progress = level === undefined ? '' : ` (${level}: ${approvalsSoFar} approved)`;
	const subject = question === undefined ? '' : `: "${shorten(question)}"`;
	const until = waitingUntil === undefined ? '' : `, until ${toLocalTime(waitingUntil, timezone)}`;
	const since = toLocalTime(waitingSince, timezone);
	return `Waiting for ${waitingFor}${progress}${subject}, since ${since}${until}.`;
}

/** Returns, for example, "2026-11-30 09:00"; the time in UTC if the time zone is unknown. */
function toLocalTime(iso: string, timeZone: string): string {
	try {
		const format = new Intl.DateTimeFormat('sv-SE', {
			dateStyle: 'short',
			timeStyle: 'short',
			timeZone,
		});
		return format.format(new Date(iso));
	} catch {
		return iso;
	}
}
