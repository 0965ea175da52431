import parked from '../../releases/0.1.0/parkedApprovals.json';
import type { StoredExecution } from './parkHost';
import { sendAndWait, useParkRig } from './parkRig';
import { severalPeopleParameters, twoOfThree } from './severalPeopleLevels';

// The pack is replaced by another version while executions are parked.

const MINUTE = 60_000;
const rig = useParkRig();
const { open, advanceTime } = rig;

/** Lets this pack resume what another one has parked, with the requests that it has sent. */
async function resume(execution: Pick<StoredExecution, 'data' | 'waitTill'>, statuses: string[]) {
	jest.setSystemTime(execution.waitTill! - MINUTE);
	open(sendAndWait());
	statuses.forEach((status, index) => {
		rig.service.approvals.set(`uuid-${index + 1}`, { message: `${index}`, status });
	});
	rig.host.executions.set('1', { id: '1', status: 'waiting', ...execution });
	await advanceTime(3 * MINUTE);
	return rig.host.executions.get('1')!;
}

const parkedBefore = { waitTill: parked.waitTill, data: JSON.stringify(parked.data) };

it('executions parked before several people could decide resume, and send nothing', async () => {
	await resume(parkedBefore, ['approved', 'denied']);
	expect(rig.host.nextInputs.get('1')).toMatchObject([
		[
			{ id: 'uuid-1', outcome: 'approved', approved: true },
			{ id: 'uuid-2', outcome: 'denied', approved: false },
		],
	]);
	expect(rig.service.approvals.size).toBe(2);
});

it('executions parked before several people could decide are parked again, and resumed by a later decision', async () => {
	const execution = await resume(parkedBefore, ['approved', 'pending']);
	expect(execution.status).toBe('waiting');
	rig.service.decide('uuid-2', 'approved');
	await advanceTime(6 * MINUTE);
	expect(rig.host.nextInputs.get('1')).toMatchObject([
		[{ outcome: 'approved' }, { outcome: 'approved' }],
	]);
	expect(rig.service.approvals.size).toBe(2);
});

// Packs without several people know only version 1, and reject version 2 as this pack rejects version 3.
describe('an execution that several people decide', () => {
	it('a pack that does not know the version fails the execution, and sends no request again', async () => {
		open(severalPeopleParameters([twoOfThree]));
		const { data, waitTill } = await rig.start('One?');
		expect(data).toContain('"gatehouse":2');
		const newer = data.replace('"gatehouse":2', '"gatehouse":3');
		const execution = await resume({ data: newer, waitTill }, ['approved', 'approved', 'approved']);
		expect(execution.status).toBe('error');
		const { message, description } = execution.run!.data.resultData.error!;
		expect(message).toContain(
			"parked by another version of the pack, which this version can't read",
		);
		expect(description).toContain("don't repeat this step");
		expect(rig.service.approvals.size).toBe(3);
	});
});
