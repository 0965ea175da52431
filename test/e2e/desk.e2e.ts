import type { Json } from '../sandbox/eventClients';
import { eventWithRequiredFields, easy, useDesk } from './desk.browser';

const {
	page,
	button,
	field,
	row,
	waitForToast,
	tab,
	inSheet,
	chooseEvent,
	expectProblem,
	registrations,
	advanceClock,
	listSince,
	readLast,
	registerKim,
} = useDesk();

it('registers a person through the event’s own form, which says what is missing', async () => {
	await chooseEvent(eventWithRequiredFields);
	await page().getByText('The newest 50 of').waitFor();
	await button('Register a Person').click();
	await page().getByRole('heading', { name: 'Register for Harbor Security Summit' }).waitFor();
	await field('First name').fill('Kim');
	await field('Email address').fill('kim');
	await button('Register').click();
	await page().getByText('The Last name field is required.').waitFor();
	await page().getByText('The Email address field is not a valid email address.').waitFor();
	await page().getByText('The Company or organization field is required.').waitFor();
	expect(await page().evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
		'LastName',
	);
	expectProblem('status of 400');

	await field('Last name').fill('Okafor');
	await field('Email address').fill('kim@okafor.example');
	await field('Company or organization').fill('Gate & Sons');
	await field('Country of residence').fill('Nigeria');
	await field('Registration type').selectOption('Speaker');
	await button('Register').click();
	await waitForToast('Kim Okafor is registered');
	await row('Kim Okafor').waitFor();
	const newRegistration = await readLast(
		`/events/${eventWithRequiredFields}/registrations?pageSize=200&page=3`,
	);
	expect(newRegistration).toMatchObject({
		FirstName: 'Kim',
		RegistrationStatus: 'Confirmed',
		CustomFields: [
			{ Name: 'Company', Value: 'Gate & Sons' },
			{ Name: 'Country', Value: 'Nigeria' },
		],
	});
});

it('checks people in and out, at the entrance and at a session', async () => {
	await chooseEvent(easy);
	await registerKim();
	const moment = advanceClock();
	const kim = row('Kim Okafor');
	await button('Check In: Kim Okafor').click();
	await button('Check Out: Kim Okafor').waitFor();
	expect(await kim.innerText()).toContain('In since');
	const event = `/events/${easy}/attendance`;
	expect(await listSince(event, 'lastUpdatedAfter', moment)).toMatchObject([
		{ CheckOutDateTime: null },
	]);
	const afterIn = advanceClock();
	await button('Check Out: Kim Okafor').click();
	await kim.getByText('Left').waitFor();
	expect(await listSince(event, 'lastUpdatedAfter', afterIn)).toMatchObject([
		{ FirstName: 'Kim', CheckOutDateTime: expect.any(String) },
	]);

	await page().getByLabel('Door').selectOption('3050');
	await kim.getByText('Not here yet').waitFor();
	const afterOut = advanceClock();
	await button('Check In: Kim Okafor').click();
	await button('Check Out: Kim Okafor').waitFor();
	expect(await listSince(`${event}/3050`, 'lastUpdatedAfter', afterOut)).toHaveLength(1);
	expect(await listSince(`${event}/3049`, 'lastUpdatedAfter', afterOut)).toEqual([]);
	expect(await listSince(event, 'lastUpdatedAfter', afterOut)).toEqual([]);
});

it('changes and cancels a registration', async () => {
	await chooseEvent(easy);
	await registerKim();
	await button('Kim Okafor').click();
	const moment = advanceClock();
	await field('Mobile phone').fill('+15550100');
	await button('Save Changes').click();
	await waitForToast('Saved');
	const changed = { FirstName: 'Kim', MobilePhone: '+15550100' };
	expect(
		await listSince(`/events/${easy}/registrations`, 'lastUpdatedAfter', moment),
	).toMatchObject([changed]);
	const afterwards = advanceClock();
	await button('Cancel Registration').click();
	await waitForToast('The registration is canceled');
	expect(
		await listSince(`/events/${easy}/registrations`, 'lastUpdatedAfter', afterwards),
	).toMatchObject([{ ...changed, RegistrationStatus: 'Cancelled' }]);
	await button('Close').click();
	expect(await row('Kim Okafor').innerText()).toContain('Canceled');
	expect(await button('Check In: Kim Okafor').count()).toBe(0);
});

it('takes an order, a payment and a refund', async () => {
	await chooseEvent(easy);
	await registerKim();
	await button('Kim Okafor').click();
	const moment = advanceClock();
	await page().getByText('Take an Order', { exact: true }).click();
	await field('Admission').selectOption('41302');
	await field('Pay later').check();
	await button('Take Order').click();
	await waitForToast('The order is taken');
	const total = 3120;
	const orders = await registrations().post<Json[]>('/orders/search', easy, {
		params: { addedAfter: moment },
	});
	expect(orders.data).toMatchObject([{ OrderTotal: total, IsReplaced: false }]);
	expect(await listSince('/transactions', 'addedAfter', moment)).toEqual([]);

	await page().locator('summary', { hasText: 'Take Payment' }).click();
	await button('Take Payment').click();
	await waitForToast('The payment is booked');
	await page().locator('summary', { hasText: 'Refund' }).click();
	await field('Amount in DKK').fill('9999');
	await button('Refund').click();
	await page().getByText(`At most ${total} DKK can be given back.`).waitFor();
	expectProblem('status of 400');
	await field('Amount in DKK').fill('120.50');
	await field('Note').fill('One day less');
	await button('Refund').click();
	await waitForToast('The refund is booked');
	expect(await listSince('/transactions', 'addedAfter', moment)).toMatchObject([
		{ TransactionType: 'Payment', TransactionAmount: total },
		{ TransactionType: 'Refund', TransactionAmount: -120.5, Memo: 'One day less' },
	]);
});

it('adds, changes and removes a contact', async () => {
	await tab('Contacts').click();
	await page().getByLabel('Contact list').selectOption('7003');
	const moment = advanceClock();
	await button('Add Contact').click();
	await field('First name').fill('Kim');
	await inSheet('Add Contact').click();
	await page().getByText('The Email address field is required.').waitFor();
	expectProblem('status of 400');
	await field('Email address').fill('kim@okafor.example');
	await inSheet('Add Contact').click();
	await waitForToast('Kim was added');
	const list = '/contactlists/7003/contacts';
	expect(await listSince(list, 'updatedAfter', moment)).toMatchObject([{ FirstName: 'Kim' }]);
	await button('Kim').click();
	await field('Organization').fill('Gate & Sons');
	await button('Save Changes').click();
	await waitForToast('Kim was changed');
	expect(await listSince(list, 'updatedAfter', moment)).toMatchObject([
		{ Organization: 'Gate & Sons' },
	]);
	await button('Kim').click();
	await button('Remove Contact').click();
	await waitForToast('Kim was removed');
	expect(await listSince(list, 'updatedAfter', moment)).toEqual([]);
});

it('keeps the program, and makes events', async () => {
	await chooseEvent(easy);
	await tab('Program').click();
	await button('Add Session').click();
	await field('Title').fill('Late addition');
	await field('Starts').fill('2030-05-17T09:00');
	await field('Ends').fill('2030-05-17T08:00');
	await inSheet('Add Session').click();
	await page().getByText('The end must be later than the start.').waitFor();
	expectProblem('status of 400');
	await field('Ends').fill('2030-05-17T10:00');
	await inSheet('Add Session').click();
	await waitForToast('The session was added');
	expect(await readLast(`/events/${easy}/sessions`)).toMatchObject({ Title: 'Late addition' });
	await button('Late addition').click();
	await button('Take Off the Program').click();
	await waitForToast('Late addition was taken off');

	const moment = advanceClock();
	await button('Change Event').click();
	await field('Name').fill('');
	await button('Save Changes').click();
	await page().getByText("'Name' is required").waitFor();
	expectProblem('status of 400');
	await field('Name').fill('Northern Nights');
	await button('Save Changes').click();
	await waitForToast('The event was changed');
	expect(await listSince('/events', 'updatedAfter', moment)).toMatchObject([
		{ EventId: easy, Name: 'Northern Nights' },
	]);
	await button('New Event').click();
	await field('Name').fill('Brand New Days');
	await field('Starts').fill('2030-05-17T09:00');
	await field('Ends').fill('2030-05-18T18:00');
	await button('Make Event').click();
	await waitForToast('The event was made');
	await page().locator('#program-event', { hasText: 'Brand New Days' }).waitFor();
	await page().getByText('There are no sessions yet.').waitFor();
	await tab('People').click();
	await page().getByText('No one is here yet.').waitFor();
});
