import type { ChosenPolicy, History, NewEvent } from '../../history';
import { checkPeople } from '../people';

/** Two of three people and then a fourth one decide; user 9 is the deputy of the first level. */
export const policy: ChosenPolicy = {
	levels: [
		{
			name: 'First',
			people: ['1', '2', '3'],
			needed: 2,
			deputies: ['9'],
			deputiesAfterMs: 30_000,
		},
		{ name: 'Second', people: ['4'], needed: 'all', deputies: [] },
	],
	requester: '5',
	oneDenialEnds: true,
	limitMs: 100_000,
	expiresAfterMs: 80_000,
};
/** The same with the first level only. */
export const oneLevel: ChosenPolicy = { ...policy, levels: [policy.levels[0]!] };
/** The same without deputies. */
export const withoutDeputies: ChosenPolicy = {
	...oneLevel,
	levels: [{ ...oneLevel.levels[0]!, deputies: [] }],
};

export type Item = Record<string, unknown>;

/** Writes a history of one item. Times are in seconds. Request `nth` to a person has an ID of its own. */
export class Writer {
	private readonly events: Array<{ at: number } & NewEvent> = [];
	private requestCount = 0;

	constructor(chosen: ChosenPolicy = oneLevel) {
		this.add(0, { type: 'policyChosen', question: 'q', policy: chosen });
		this.add(0, { type: 'processStarted', process: 1 });
		const items = [{ question: 'q', id: 'forged', approved: true }];
		this.add(1, { type: 'executionStarted', execution: '1', workflow: 'w', items });
	}

	add(seconds: number, event: NewEvent): this {
		this.events.push({ at: seconds * 1000, ...event });
		return this;
	}

	/** Sends a request to a person. With a fault, its ID stays unknown to the node. */
	ask(
		seconds: number,
		person: string,
		{ fault, isSent = true, nth = 1, expiresInMs = 70_000 }: Asking = {},
	): this {
		const request = ++this.requestCount;
		const path = `/users/${person}/approval_requests`;
		const id = `id-${person}-${nth}`;
		const isUnsent = { status: 503, fault: fault ?? '503' };
		this.add(seconds, { type: 'requested', request, process: 1, method: 'POST', path });
		if (isSent) {
			const body = { approval_request: { uuid: id } };
			this.add(seconds, { type: 'executed', request, status: 200, body });
			this.add(seconds, { type: 'asked', id, question: 'q', person, expiresInMs });
		}
		return this.add(seconds, {
			type: 'responded',
			request,
			...(isSent ? { status: 200, ...(fault && { fault }) } : isUnsent),
		});
	}

	/** Reads the requests to these people. */
	read(seconds: number, people: string, fault?: string): this {
		for (const person of people) {
			const request = ++this.requestCount;
			const path = `/approval_requests/id-${person}-1`;
			this.add(seconds, { type: 'requested', request, process: 1, method: 'GET', path });
			if (!fault) this.add(seconds, { type: 'executed', request, status: 200, body: {} });
			this.add(seconds, { type: 'responded', request, status: 200, ...(fault && { fault }) });
		}
		return this;
	}

	decide(seconds: number, person: string, outcome: string, responder = person): this {
		const id = `id-${person}-1`;
		return this.add(seconds, { type: 'decided', id, outcome, person: responder });
	}

	/** Outputs an item and ends the execution. */
	output(seconds: number, item: Item): this {
		const node = item.outcome === 'approved' ? 'Approved' : 'Next';
		this.add(seconds, { type: 'output', execution: '1', node, items: [item] });
		return this.end(seconds, 'success');
	}

	end(seconds: number, status: string, message?: string): this {
		const text = message === undefined ? {} : { message };
		return this.add(seconds, { type: 'executionEnded', execution: '1', status, ...text });
	}

	get history(): History {
		return this.events;
	}
}

interface Asking {
	fault?: string;
	isSent?: boolean;
	nth?: number;
	expiresInMs?: number;
}

export const entry = (person: string, outcome: string, level = 'First') => ({
	level,
	twofactor_id: Number(person),
	...(outcome !== 'failed' && outcome !== 'unclear' && { id: `id-${person}-1` }),
	outcome,
});

/** Returns an item. `votes` has the outcomes of users 1, 2, 3. */
export const itemOf = (
	outcome: string,
	by: string | undefined,
	votes: string[],
	further: Item = {},
) => ({
	message: 'q',
	outcome,
	approved: outcome === 'approved',
	level: 'First',
	...(by !== undefined && { id: `id-${by}-1` }),
	decisions: votes.map((vote, index) => entry(`${index + 1}`, vote)),
	...further,
});

/** Asks the three people of the first level. */
export const begin = (chosen?: ChosenPolicy) =>
	new Writer(chosen).ask(2, '1').ask(2, '2').ask(2, '3').read(3, '123');

/** Two of the three people approve, and the node reads it. */
export const approve = (chosen?: ChosenPolicy) =>
	begin(chosen).decide(5, '1', 'approved').decide(6, '2', 'approved').read(7, '123');

export const approvedItem = itemOf('approved', '2', ['approved', 'approved', 'pending']);

/** Returns the promises that a history breaks. */
export const brokenBy = ({ history }: Writer) =>
	[...new Set(checkPeople(history).violations.map(({ promise }) => promise))].sort();
