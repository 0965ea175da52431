// Protects the user in the output of an approval request: twofactor_id is the user of the request, and no other ID.
import { DEMO_ID, useFakeTwoFactor, useTwoFactorRig } from './twoFactorRig';

const { operateAgainst } = useFakeTwoFactor(useTwoFactorRig());

describe('twofactor_id in the output of an approval request', () => {
	const userLocations: Array<[string, object, unknown]> = [
		['twofactor_id', { twofactor_id: 7 }, 7],
		['_twofactor_id', { _twofactor_id: 7, user_id: 'u-8' }, 7],
		['a name that carries a brand', { brand_id: '7' }, 7],
		['a name that carries a brand, with an underscore', { _brand_id: 7, _id: '5f', app_id: 1 }, 7],
		['a name that carries a brand, rather than user_id', { user_id: '5f3a', _brand_id: 7 }, 7],
		['user_id', { user_id: 7, app_id: 1 }, 7],
		['_user_id', { _user_id: '7', _app_id: 1 }, 7],
		['user.id', { user: { id: 7, email: 'a@example.com' } }, 7],
		['_user.brand_id', { _user: { brand_id: 7, device_id: 2 } }, 7],
		['user in a list of one', { user: [{ id: 7 }] }, 7],
		['user_id inside the application', { _app: { id: 1, app_id: 1, user_id: 7 } }, 7],
	];
	const otherIds: Array<[string, object]> = [
		['of the application', { app_id: 1, _app_id: 2, application_id: 3, _app_serial_id: 4 }],
		['of the request', { id: 'u', _id: 'v', approval_request_id: 'w', request_id: 'x' }],
		['inside the application', { _app: { id: 1, app_id: 2, owner_id: 3 }, app: 7 }],
		['in the details', { details: { order_id: 5 }, hidden_details: { user_id: 6 } }],
		['of a device', { device_id: 5, device: { id: 6, user_id: 7 } }],
		[
			'that are null, empty or an object',
			{ user: null, brand_id: null, user_id: '', _user_id: { a: 1 } },
		],
		['that are true', { brand_id: true, user: [] }],
	];
	const makeApproval = (userFields: object) => ({
		approval_request: { uuid: 'u-1', status: 'approved', ...userFields },
		success: true,
	});
	const parameters = { uuid: 'u-1', waitLimit: 5, simplify: false };

	it.each(userLocations)('is read from %s', async (_, userFields, expectedId) => {
		for (const operation of ['get', 'waitForDecision']) {
			const { outputItems, error } = await operateAgainst(
				makeApproval(userFields),
				'approvalRequest',
				operation,
				parameters,
			);
			expect(error).toBeUndefined();
			expect(outputItems).toMatchObject([{ id: 'u-1', ...userFields, twofactor_id: expectedId }]);
		}
	});

	it.each(otherIds)('is not read from IDs %s', async (_, userFields) => {
		const { outputItems, error } = await operateAgainst(
			makeApproval(userFields),
			'approvalRequest',
			'get',
			parameters,
		);
		expect(error).toBeUndefined();
		expect(outputItems[0]).not.toHaveProperty('twofactor_id');
	});

	it('is the user whom Create asked, whatever IDs the service returns', async () => {
		for (const wait of [false, true]) {
			const { outputItems } = await operateAgainst(
				makeApproval({ user_id: 7 }),
				'approvalRequest',
				'create',
				{
					twofactorId: DEMO_ID,
					message: 'Yes?',
					wait,
					waitLimit: 5,
					simplify: false,
				},
			);
			expect(outputItems).toMatchObject([{ id: 'u-1', user_id: 7, twofactor_id: Number(DEMO_ID) }]);
		}
	});
});
