import type { IDataObject } from 'n8n-workflow';

import type { DemoPerson } from '../../../sandbox/demoIdentities';
import { ChatServer } from '../support/chatServer';
import { addModelCredential } from './agents';
import type { ExampleRun, Scenario } from './exampleRun';
import { openPhone } from './openPhone';
import { readRows } from './readBack';
import type { ThreeItemScenario } from './threeItemScenarios';

/** Opens the phones of all people who may decide. */
function openPhones({ lab }: ExampleRun) {
	const { user, manager, finance, deputy } = lab.sandbox.demo;
	const open = (person: DemoPerson) => openPhone(lab, person);
	return {
		robin: open(user),
		morgan: open(manager),
		frances: open(finance),
		dana: open(deputy),
	};
}
type Phone = ReturnType<typeof openPhone>;

/** Decides the request with this message, as soon as it is on the phone. */
async function decide(
	holder: Phone,
	decision: 'approved' | 'denied',
	message: string,
	level?: string,
): Promise<void> {
	const [approval] = (await holder.waitForApprovals(1)).filter((pending) =>
		pending.message.includes(message),
	);
	if (!approval) {
		await new Promise((resolve) => setTimeout(resolve, 500));
		return await decide(holder, decision, message, level);
	}
	if (level !== undefined) expect(approval.details.Level).toBe(level);
	await holder.decide(decision, approval);
}

const levelTexts = {
	manager: 'Manager (1 of 1 must approve)',
	finance: 'Finance (1 of 1 must approve)',
};

/** Scenarios of the examples in which several people decide, by file. */
export const severalPeople: Record<string, Scenario> = {
	'21-two-of-three-refund.json': {
		does: 'makes refunds that two of three people approve, without a request to the deputy',
		async play(example) {
			const { robin, morgan, frances, dana } = openPhones(example);
			const endedRun = await example.run(async (execution) => {
				for (const holder of [robin, morgan, frances]) {
					expect(await holder.waitForApprovals(3)).toHaveLength(3);
				}
				await execution.waitForStatus('waiting');
				await decide(robin, 'approved', 'Mio Satō', 'Team (2 of 3 must approve)');
				await decide(frances, 'approved', 'Mio Satō');
				await decide(robin, 'denied', 'Tomas Rivera');
				await decide(morgan, 'denied', 'Tomas Rivera');
				await decide(robin, 'denied', 'Hana Okada');
				await decide(morgan, 'approved', 'Hana Okada');
				await decide(frances, 'approved', 'Hana Okada');
			});
			const rows = await readRows(example.lab.rest, endedRun, 'Make the table');
			expect(rows).toEqual([
				expect.objectContaining({
					guest: 'Mio Satō',
					amount: 83,
					approvedBy: 'Robin Castellan, Frances Okoye',
				}),
				expect.objectContaining({
					guest: 'Hana Okada',
					approvedBy: 'Morgan Ellery, Frances Okoye',
				}),
			]);
			expect(endedRun.json('Not refunded')).toEqual([
				{ message: 'Not refunded: Tomas Rivera, denied' },
			]);
			expect(await dana.waitForApprovals(0)).toEqual([]);
		},
	},
	'22-manager-then-finance.json': {
		does: 'asks finance after the manager, and only for amounts above 500',
		async play(example) {
			const { morgan, frances } = openPhones(example);
			const endedRun = await example.run(async (execution) => {
				expect(await morgan.waitForApprovals(3)).toHaveLength(3);
				await execution.waitForStatus('waiting');
				expect(await frances.waitForApprovals(0)).toEqual([]);
				for (const payee of ['Harbor Hall', 'Castellan', 'Lumen']) {
					await decide(morgan, 'approved', payee, levelTexts.manager);
				}
				expect(await frances.waitForApprovals(2)).toHaveLength(2);
				await decide(frances, 'approved', 'Harbor Hall', levelTexts.finance);
				await decide(frances, 'denied', 'Lumen', levelTexts.finance);
			});
			const rows = await readRows(example.lab.rest, endedRun, 'Make the table');
			expect(rows).toEqual([
				expect.objectContaining({
					invoice: 'INV-3101',
					approvedBy: 'Morgan Ellery, Frances Okoye',
				}),
				expect.objectContaining({ invoice: 'INV-3102', approvedBy: 'Morgan Ellery' }),
			]);
			expect(endedRun.json('Not paid')).toEqual([
				{ message: 'Not paid: INV-3103 was denied at the level Finance' },
			]);
		},
	},
	'23-agent-asks-two-levels.json': {
		does: 'lets the agent make only those refunds that both levels approve',
		async play(example) {
			const { morgan, frances } = openPhones(example);
			const chat = await ChatServer.open();
			try {
				await addModelCredential(example, chat);
				const refund = { Registration: 5000004, Amount: 83, Reason: 'Dinner was full' };
				chat.setScript([{ tool: 'Refund', arguments: refund }]);
				const runAndReadRows = async (financeDecision: 'approved' | 'denied') => {
					const endedRun = await example.run(async () => {
						await decide(morgan, 'approved', 'refund a guest', levelTexts.manager);
						await decide(frances, financeDecision, 'refund a guest', levelTexts.finance);
					});
					return await readRows(example.lab.rest, endedRun, 'Make the table');
				};
				expect(await runAndReadRows('denied')).toEqual([]);
				expect(await runAndReadRows('approved')).toEqual([
					expect.objectContaining({ registrationId: 5000004, reason: 'Dinner was full' }),
				]);
			} finally {
				await chat.close();
			}
		},
	},
};

/** Scenarios of the same examples with three items. */
export const threeItemSeveralPeople: Record<string, ThreeItemScenario> = {
	async '21-two-of-three-refund.json'(example) {
		const { robin, morgan, frances } = openPhones(example);
		const input = [1, 2, 3].map((index) => ({
			refunds: [{ registrationId: 6_000_000 + index, guest: `Guest ${index}`, amount: index }],
		}));
		const endedRun = await example.runWith('Refunds to make', input, async () => {
			for (const guest of ['Guest 1', 'Guest 3']) {
				await decide(robin, 'approved', guest);
				await decide(morgan, 'approved', guest);
			}
			await decide(robin, 'denied', 'Guest 2');
			await decide(frances, 'denied', 'Guest 2');
		});
		const rows = await readRows(example.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ registrationId: id }) => (id as number) > 6_000_000);
		expect(newRows.map(({ guest }) => guest)).toEqual(['Guest 1', 'Guest 3']);
		expect(endedRun.json('Not refunded')).toHaveLength(1);
	},
	async '22-manager-then-finance.json'(example) {
		const { morgan, frances } = openPhones(example);
		const input: IDataObject[] = [500, 501, 499].map((amount, index) => ({
			payments: [{ invoice: `INV-L-${index}`, payee: `Payee ${index}`, amount }],
		}));
		const endedRun = await example.runWith('Payments due', input, async () => {
			for (const index of [0, 1, 2]) await decide(morgan, 'approved', `Payee ${index}`);
			await decide(frances, 'approved', 'Payee 1');
		});
		const rows = await readRows(example.lab.rest, endedRun, 'Make the table');
		const newRows = rows.filter(({ invoice }) => `${invoice as string}`.startsWith('INV-L-'));
		expect(newRows.map(({ approvedBy }) => approvedBy)).toEqual([
			'Morgan Ellery',
			'Morgan Ellery, Frances Okoye',
			'Morgan Ellery',
		]);
	},
	async '23-agent-asks-two-levels.json'(example) {
		const { morgan, frances } = openPhones(example);
		const chat = await ChatServer.open();
		try {
			await addModelCredential(example, chat);
			const refund = { Registration: 5000008, Amount: 8, Reason: 'One of three' };
			chat.setScript([{ tool: 'Refund', arguments: refund }]);
			const input = ['first', 'second', 'third'].map((name) => ({ message: `The ${name} guest` }));
			const endedRun = await example.runWith('What the guest wrote', input, async () => {
				for (let remaining = input.length; remaining > 0; remaining--) {
					await decide(morgan, 'approved', 'refund a guest');
					await decide(frances, 'approved', 'refund a guest');
				}
			});
			expect(endedRun.json('Answer to the guest')).toHaveLength(3);
			const rows = await readRows(example.lab.rest, endedRun, 'Make the table');
			expect(rows.filter(({ reason }) => reason === 'One of three')).toHaveLength(3);
		} finally {
			await chat.close();
		}
	},
};
