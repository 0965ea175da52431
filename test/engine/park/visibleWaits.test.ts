// Protects users of a waiting execution: its node says whom it waits for, and nothing of that reaches another node.
import type { IDataObject } from 'n8n-workflow';

import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';
import { severalPeopleParameters } from './severalPeopleLevels';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, start, advanceTime, decide, readNextInputs } = rig;

const readParkedRun = () => rig.readRuns(FIRST_EXECUTION_ID).at(-1);

const readHints = () => readParkedRun()?.hints ?? [];

/** Returns the data that n8n stores with the hints. The node outputs nothing. */
const readShown = () => {
	expect(readParkedRun()?.data?.main).toEqual([[]]);
	return readHints().map((hint) => (hint as unknown as { data: IDataObject }).data);
};

/** Fields of a result. A user or a workflow could take one for the decision. */
const RESULT_FIELDS = ['id', 'outcome', 'approved', 'status', 'decisions', 'responder', 'level'];

it('a waiting execution shows the question, the person and the times of each item', async () => {
	open(sendAndWait({ options: { expiry: { time: { unit: 'hours', amount: 2 } } } }));
	const since = Date.now();
	await start('One?', 'Two?');
	const shown = readShown();
	expect(shown).toMatchObject([
		{ question: 'One?', waitingFor: '100002' },
		{ question: 'Two?', waitingFor: '100002' },
	]);
	for (const { waitingSince, waitingUntil } of shown) {
		expect(Date.parse(`${waitingSince}`) - since).toBeLessThan(MINUTE);
		expect(Math.round((Date.parse(`${waitingUntil}`) - since) / MINUTE)).toBe(120);
	}
	const names = shown.flatMap((json) => Object.keys(json));
	expect(names.filter((name) => RESULT_FIELDS.includes(name))).toEqual([]);
});

it('only items that still wait are shown after the execution was parked again', async () => {
	open(sendAndWait());
	await start('One?', 'Two?');
	decide('One?');
	await advanceTime(6 * MINUTE);
	expect(readShown()).toMatchObject([{ question: 'Two?' }]);
});

it('the next node gets the results alone, and n8n keeps no run with the waits', async () => {
	open(sendAndWait());
	await start('One?');
	decide('One?');
	await advanceTime(MINUTE);
	expect(readNextInputs(FIRST_EXECUTION_ID)).toEqual([
		[expect.objectContaining({ outcome: 'approved' })],
	]);
	expect(JSON.stringify(readNextInputs(FIRST_EXECUTION_ID))).not.toContain('waitingFor');
	expect(JSON.stringify(rig.readRuns(FIRST_EXECUTION_ID))).not.toContain('waitingFor');
});

it('a wait for several people shows those who have not answered, by name, and the approvals so far', async () => {
	const people = "={{ [{ id: '1', name: 'Ada' }, { id: '2', name: 'Bo' }, { id: '3' }] }}";
	open(severalPeopleParameters([{ name: 'Team', people, needed: 'number', neededNumber: 2 }]));
	await start('One?');
	expect(readShown()).toMatchObject([
		{
			question: 'One?',
			waitingFor: 'Ada, Bo, 3',
			waitingAtLevel: 'Team',
			approvalsSoFar: '0 of 2',
		},
	]);
	rig.service.decide('uuid-1', 'approved');
	await advanceTime(6 * MINUTE);
	expect(readShown()).toMatchObject([{ waitingFor: 'Bo, 3', approvalsSoFar: '1 of 2' }]);
});

it('a hint says whom the execution waits for, without the formats of HTML', async () => {
	open(
		sendAndWait({
			message: '=Refund <a href="https://example.com">30 €</a>?',
			options: { expiry: { time: { unit: 'hours', amount: 2 } } },
		}),
	);
	await start('One?');
	const now = new Date().toISOString();
	expect(readHints().map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^Waiting for 100002: "Refund &lt;a href="https:\/\/example\.com"&gt;30 €&lt;\/a&gt;\?", since .+, until .+\.$/,
		),
	]);
	expect(readHints()[0]!.message).toContain(`since ${now.slice(0, 10)} ${now.slice(11, 14)}`);
});

it('an execution with many items describes ten of them', async () => {
	open(sendAndWait());
	await start(...Array.from({ length: 12 }, (_, index) => `Question ${index}?`));
	expect(readShown()).toHaveLength(10);
});

it('a question with the key of the credential is shown without it', async () => {
	open(sendAndWait({ message: '=Is key-0123456789 right?' }));
	await start('One?');
	const [{ question }] = readShown() as [{ question: string }];
	expect(question).toMatch(/^Is .+ right\?$/);
	expect(question).not.toContain('0123456789');
});
