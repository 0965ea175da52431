// Protects the details and statistics of an application: the output has what the service reports, one item per month.
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { DEMO_ID, useTwoFactorRig } from './twoFactorRig';

const rig = useTwoFactorRig();

/** Requests the sandbox directly, so that expectations do not depend on the tested node. */
async function sendDirect<T>(path: string): Promise<T> {
	const { addresses, demo } = rig.sandbox;
	const { data } = await axios.get(addresses.twoFactor + path, {
		headers: { [demo.twoFactor.headerName]: demo.twoFactor.apiKey },
	});
	return data;
}

describe('Get Details', () => {
	it('outputs the details of the application', async () => {
		const { app } = await sendDirect<{ app: IDataObject }>('/protected/json/app/details');
		const { outputItems, error } = await rig.operate('application', 'getDetails');
		expect(error).toBeUndefined();
		expect(outputItems).toEqual([app]);
		expect(outputItems[0]).toMatchObject({ name: expect.any(String), sms_enabled: true });
	});

	it('sends the IP address from the option', async () => {
		await rig.operate('application', 'getDetails', { options: { userIp: '203.0.113.7' } });
		const [entry] = rig.sandbox.requestLog.entries({ operationId: 'getApplicationDetails' });
		expect(entry!.query).toEqual({ user_ip: '203.0.113.7' });
	});
});

describe('Get Statistics', () => {
	it('outputs one item per month', async () => {
		const { stats } = await sendDirect<{ stats: IDataObject[] }>('/protected/json/app/stats');
		const { outputItems, error } = await rig.operate('application', 'getStatistics');
		expect(error).toBeUndefined();
		expect(outputItems.map(({ month, year }) => ({ month, year }))).toEqual(
			stats.map(({ month, year }) => ({ month, year })),
		);
		expect(outputItems.length).toBeGreaterThan(0);
		for (const item of outputItems)
			expect(item).toMatchObject({ app_id: expect.anything(), total_users: 5 });
	});

	it('outputs a count that includes an SMS sent just before', async () => {
		const monthBefore = (await rig.operate('application', 'getStatistics')).outputItems.at(-1)!;
		await rig.operate('oneTimeCode', 'sendBySms', { twofactorId: DEMO_ID });
		const monthsAfter = (await rig.operate('application', 'getStatistics')).outputItems;
		const sameMonth = monthsAfter.find(
			({ month, year }) => month === monthBefore.month && year === monthBefore.year,
		)!;
		expect(Number(sameMonth.sms_count)).toBe(Number(monthBefore.sms_count) + 1);
	});
});
