// Protects the time limit of several people: only answers before it decide, whatever the service reports after it.
import { FIRST_EXECUTION_ID } from './parkRig';
import {
	limitWaitTime,
	manager,
	severalPeopleParameters,
	twoOfThree,
	useSeveralPeople,
} from './severalPeopleLevels';

// Many executions reach the time limit of several people, each with other answers and at another moment between two polls.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LIMIT_MS = 30 * SECOND;

const { rig, open, advanceTime, readNextInputs, readStatus } = useSeveralPeople();

/** Answers of the first people of a level in which two of three must approve. */
const CASES: Array<{ oneDenialEnds: boolean; answers: string[] }> = [
	{ oneDenialEnds: true, answers: [] },
	{ oneDenialEnds: true, answers: ['approved'] },
	{ oneDenialEnds: true, answers: ['approved', 'approved'] },
	{ oneDenialEnds: true, answers: ['denied'] },
	{ oneDenialEnds: false, answers: ['denied'] },
	{ oneDenialEnds: false, answers: ['denied', 'approved'] },
	{ oneDenialEnds: false, answers: ['denied', 'approved', 'approved'] },
	{ oneDenialEnds: false, answers: ['denied', 'denied'] },
];

/** Returns the outcome that follows from the answers that the service accepted. */
function outcomeOf(oneDenialEnds: boolean, answers: string[]): string {
	const count = (status: string) => answers.filter((one) => one === status).length;
	if (count('denied') >= (oneDenialEnds ? 1 : 2)) return 'denied';
	return count('approved') >= 2 ? 'approved' : 'stillOutstanding';
}

/** Returns numbers from 0 to 1, the same ones in every run. */
function createRandom(): () => number {
	let seed = 7;
	return () => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return seed / 2 ** 31;
	};
}

/** Answers a request. Returns false if the request has expired. */
function answer(person: number, question: string, status: string): boolean {
	const { service } = rig;
	const isAsked = (uuid: string) => service.approvals.get(uuid)!.message === question;
	return service.answer(service.uuidsSentTo(`${person}`).find(isAsked)!, status);
}

interface Expectation {
	oneDenialEnds: boolean;
	/** Answer of each person, or 'pending'. */
	answers: string[];
}

/** Starts executions one after the other, whose people answer until shortly before the limit. Returns the accepted answers. */
async function startExecutions(count: number): Promise<Expectation[]> {
	const random = createRandom();
	rig.service.expiresRequests = true;
	rig.service.latencyMs = () => Math.floor(150 * random());
	const options = {
		...limitWaitTime(LIMIT_MS / MINUTE),
		oneDenialEnds: '={{ $json.oneDenialEnds }}',
	};
	const host = open(severalPeopleParameters([twoOfThree], options));
	const expectations: Expectation[] = [];
	for (let index = 0; index < count; index++) {
		const { oneDenialEnds, answers } = CASES[index % CASES.length]!;
		const question = `Question ${index}`;
		const expected = { oneDenialEnds, answers: ['pending', 'pending', 'pending'] };
		for (const [position, status] of answers.entries()) {
			const isLate = random() < 0.3;
			const beforeLimitMs = (isLate ? 2 : 25) * SECOND * random();
			setTimeout(
				() => {
					if (answer(position + 1, question, status)) expected.answers[position] = status;
				},
				Math.floor(LIMIT_MS - beforeLimitMs),
			);
		}
		expectations.push(expected);
		void host.start([{ question, oneDenialEnds }]);
		await advanceTime(Math.floor(100 * random()));
	}
	return expectations;
}

/** Ends n8n, and starts it again after a time. */
async function restartAfter(ms: number): Promise<void> {
	rig.host.killProcess();
	await advanceTime(ms);
	rig.host.restartProcess();
}

it.each([
	['n8n runs', 64, async (): Promise<void> => undefined],
	['n8n is restarted shortly before', 48, async () => await restartAfter(0)],
	['n8n is off for twenty minutes', 48, async () => await restartAfter(20 * MINUTE)],
] as const)('only answers before the time limit decide: %s', async (_, count, restart) => {
	const expectations = await startExecutions(count);
	await advanceTime(10 * SECOND);
	await restart();
	await advanceTime(LIMIT_MS + 2 * MINUTE);
	const ids = expectations.map((_expected, index) => `${index + 1}`);
	// n8n marks executions that were running when it ended as crashed.
	const endedIds = ids.filter((id) => readStatus(id) === 'success');
	expect(endedIds.length).toBeGreaterThan(0.8 * count);
	const wrongOutputs = endedIds.flatMap((id) => {
		const [[{ outcome, decisions }]] = readNextInputs(id) as [
			[{ outcome: string; decisions: Array<{ outcome: string }> }],
		];
		const { oneDenialEnds, answers } = expectations[Number(id) - 1]!;
		const statuses = decisions.map((one) => one.outcome);
		const isRight =
			outcome === outcomeOf(oneDenialEnds, answers) &&
			(outcome !== 'stillOutstanding' || statuses.join() === answers.join());
		return isRight ? [] : [{ oneDenialEnds, answers, outcome, statuses }];
	});
	expect(wrongOutputs).toEqual([]);
});

it('an answer before the time limit counts if the last poll reached the service before it and returned after the limit', async () => {
	const limitMs = 18 * SECOND;
	const { service } = rig;
	const limitAtMs = Date.now() + limitMs;
	let isAnswered = false;
	service.replaceResponse = (method, uuid) => {
		if (method === 'GET' && !isAnswered && Date.now() > limitAtMs - 3 * SECOND) {
			isAnswered = true;
			setTimeout(() => service.decide(uuid, 'approved'), SECOND / 2);
			service.latencyMs = () => 4 * SECOND;
		}
		return undefined;
	};
	open(severalPeopleParameters([manager], limitWaitTime(limitMs / MINUTE)));
	void rig.host.start([{ question: 'One?' }]);
	await advanceTime(limitMs - SECOND / 2);
	expect(service.approvals.get('uuid-1')).toMatchObject({ status: 'approved' });
	await advanceTime(MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([[{ outcome: 'approved' }]]);
});
