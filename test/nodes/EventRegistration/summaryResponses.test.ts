// Protects the numbers of Get Summary with unusual records: money is added exactly, and hints name what is not counted.
import type { IDataObject } from 'n8n-workflow';

import { locateById } from '../../support/locators';
import { useFake } from './fakeService';

const fake = useFake();

describe('Get Summary with unusual responses', () => {
	const summarize = async (lists: Record<string, IDataObject[]>, parameters: object = {}) => {
		fake.respondWith(({ url }) => {
			const name = /\/(registrationtypes|registrations|attendance|transactions)/.exec(url)?.[1];
			if (!name) return { body: { EventId: 7, Name: 'Fair' } };
			return { body: lists[name] ?? [] };
		});
		const { outputItems, error, hints } = await fake.operate('event', 'getSummary', {
			eventId: locateById(7),
			...parameters,
		});
		expect(error).toBeUndefined();
		return { summary: outputItems[0]!, hints: hints.map(({ message }) => message) };
	};

	it('money is added up exactly, by currency, with refunds of either sign', async () => {
		const amounts: Array<[string, unknown, string]> = [
			['Payment', 0.1, 'EUR'],
			['Payment', 0.2, 'eur'],
			['Refund', -0.1, 'EUR'],
			['Credit card refund', '0.05', 'EUR'],
			['Payment', -0.05, 'EUR'],
			['Chargeback', -3, 'USD'],
			['Card', 4.4, 'USD'],
			['Payment', 'free', 'USD'],
			['Payment', 1, ''],
		];
		const transactions = amounts.map(([TransactionType, TransactionAmount, Currency], index) => ({
			TransactionId: index + 1,
			TransactionType,
			TransactionAmount: TransactionAmount as string,
			Currency,
		}));
		const { summary, hints } = await summarize({ transactions });
		expect(summary.byCurrency).toEqual([
			{ Currency: '', payments: 1, paid: 1, refunds: 0, refunded: 0, net: 1 },
			{ Currency: 'EUR', payments: 3, paid: 0.25, refunds: 2, refunded: 0.15, net: 0.1 },
			{ Currency: 'USD', payments: 1, paid: 4.4, refunds: 1, refunded: 3, net: 1.4 },
		]);
		expect(hints).toEqual([
			"Event 7: 1 payment or refund isn't in any sum, since its amount can't be read. Check it with Transaction: Get Many for Event.",
		]);
	});

	it('dates without a zone add no hint if they are new or old in every zone', async () => {
		const registrations = ['2026-02-28T18:59:59', '2026-03-01T23:00:01'].map(
			(RegistrationDate, index) => ({
				RegistrationId: index,
				RegistrationDate,
				ConfirmationCode: `${index}`,
			}),
		);
		const { summary, hints } = await summarize(
			{ registrations },
			{ newSince: '2026-03-01T09:00:00Z' },
		);
		expect(summary.newRegistrations).toBe(1);
		expect(hints).toEqual([]);
	});

	it('registrations without a type or status are grouped; dates are read with and without a zone', async () => {
		const registrations = [
			{ RegistrationId: 1, RegistrationDate: '2026-03-01T10:00:00+02:00', ConfirmationCode: 'A' },
			{ RegistrationId: 2, RegistrationDate: '2026-03-01T09:00:00', ConfirmationCode: 'B' },
			{ RegistrationId: 3, RegistrationDate: '2026-03-01T08:59:59Z', ConfirmationCode: 'C' },
			{ RegistrationId: 4, ConfirmationCode: 'D', RegistrationStatus: 'canceled by guest' },
			{ RegistrationId: 5, ConfirmationCode: 'E', RegistrationTypeId: 9, RegistrationType: 'VIP' },
		];
		const attendance = [{ CheckInLogId: 1, ConfirmationCode: 'D' }];
		const { summary, hints } = await summarize(
			{ registrations, attendance },
			{ newSince: '2026-03-01T09:00:00Z' },
		);
		expect(summary).toMatchObject({
			registered: 4,
			canceled: 1,
			newRegistrations: 1,
			checkedIn: 0,
			unmatchedCheckIns: 1,
			byStatus: [
				{ RegistrationStatus: '', registrations: 4 },
				{ RegistrationStatus: 'canceled by guest', registrations: 1 },
			],
			byType: [
				{ RegistrationTypeId: null, RegistrationType: '', registered: 3 },
				{ RegistrationTypeId: 9, RegistrationType: 'VIP', registered: 1 },
			],
		});
		expect(hints).toEqual([
			"Event 7: 1 registration date close to 'New Since' has no time zone and was read as UTC.",
			"Event 7: 1 registration has no date that can be read, so it isn't counted as new.",
		]);
	});
});
