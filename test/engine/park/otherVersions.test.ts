// Protects executions that another version of the pack parked: they resume or fail, and send no request again.
import olderExecution from '../../releases/0.1.0/parkedApprovals.json';
import { FIRST_EXECUTION_ID, sendAndWait, useParkRig } from './parkRig';
import type { StoredExecution } from './parkWorkflow';
import { severalPeopleParameters, twoOfThree } from './severalPeopleLevels';

const MINUTE = 60_000;
const rig = useParkRig();
const { open, advanceTime } = rig;

/** Has this pack resume an execution that another version parked, and sets the statuses of the requests that were sent. */
async function resumeStored(
	execution: Pick<StoredExecution, 'data' | 'waitTill'>,
	statuses: string[],
) {
	jest.setSystemTime(execution.waitTill! - MINUTE);
	open(sendAndWait());
	statuses.forEach((status, index) => {
		rig.service.approvals.set(`uuid-${index + 1}`, { message: `${index}`, status });
	});
	rig.host.executions.set(FIRST_EXECUTION_ID, {
		id: FIRST_EXECUTION_ID,
		status: 'waiting',
		...execution,
	});
	await advanceTime(3 * MINUTE);
	return rig.host.executions.get(FIRST_EXECUTION_ID)!;
}

/** Parked by version 0.1.0, in which only one person could decide. */
const parkedByOlderPack = {
	waitTill: olderExecution.waitTill,
	data: JSON.stringify(olderExecution.data),
};

it('an execution that version 0.1.0 parked resumes, and sends no request again', async () => {
	await resumeStored(parkedByOlderPack, ['approved', 'denied']);
	expect(rig.readNextInputs(FIRST_EXECUTION_ID)).toMatchObject([
		[
			{ id: 'uuid-1', outcome: 'approved', approved: true },
			{ id: 'uuid-2', outcome: 'denied', approved: false },
		],
	]);
	expect(rig.service.approvals.size).toBe(2);
});

it('an execution that version 0.1.0 parked is parked again, and resumes after a later decision', async () => {
	const execution = await resumeStored(parkedByOlderPack, ['approved', 'pending']);
	expect(execution.status).toBe('waiting');
	rig.service.decide('uuid-2', 'approved');
	await advanceTime(6 * MINUTE);
	expect(rig.readNextInputs(execution.id)).toMatchObject([
		[{ outcome: 'approved' }, { outcome: 'approved' }],
	]);
	expect(rig.service.approvals.size).toBe(2);
});

// Packs without several people know only version 1, and reject version 2 as this pack rejects version 3.
it.each([
	['one person decides', sendAndWait(), 1, ['approved']],
	[
		'several people decide',
		severalPeopleParameters([twoOfThree]),
		2,
		['approved', 'approved', 'approved'],
	],
])(
	'an execution that %s fails and sends no request again if the pack does not know the version of its state',
	async (_, parameters, version, statuses) => {
		open(parameters);
		const { data, waitTill } = await rig.start('One?');
		expect(data).toContain(`"gatehouse":${version}`);
		const unknownData = data.replace(`"gatehouse":${version}`, '"gatehouse":3');
		const execution = await resumeStored({ data: unknownData, waitTill }, statuses);
		expect(execution.status).toBe('error');
		const { message, description } = execution.run!.data.resultData.error!;
		expect(message).toContain(
			"parked by another version of the pack, which this version can't read",
		);
		expect(description).toContain("don't repeat this step");
		expect(rig.service.approvals.size).toBe(statuses.length);
	},
);
