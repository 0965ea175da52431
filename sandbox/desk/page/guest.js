import { make } from '/common/dom.js';
import { toast } from '/common/shell.js';

import { act, view } from './api.js';
import { makeForm } from './fields.js';
import { orderPart } from './orders.js';
import { formInput, formValues, guestFields, nameOf } from './forms.js';
import { statusChip, statusText, visitText, whenOf } from './rows.js';
import { openSheet, part, retitleSheet } from './sheet.js';

const service = 'eventRegistration';

/** Opens the sheet of a registration. */
export async function openGuest(event, registrationId, { now }) {
	const ids = { eventId: event.id, registrationId };
	const load = () => view(service, 'person', ids);
	let person = await load();

	const valuesOf = ({ registration }) => ({
		...formValues(event.form, registration),
		RegistrationTypeId: registration.RegistrationTypeId,
	});
	const details = makeForm({
		fields: guestFields(event),
		values: valuesOf(person),
		submit: 'Save Changes',
		onSubmit: async ({ RegistrationTypeId, ...values }) => {
			const input = formInput(event.form, values);
			await act(service, 'changeRegistration', { ...ids, ...input, RegistrationTypeId });
			toast('Saved', 'good');
			await refresh();
		},
	});
	const head = make('div', { class: 'facts-line' });
	const order = orderPart(event, ids, () => refresh());
	const visits = make('ul', { class: 'lines' });

	const setStatus = async (status) => {
		try {
			await act(service, 'setRegistrationStatus', { ...ids, status });
			toast(`The registration is ${statusText(status.toLowerCase())}`, 'good');
		} catch (error) {
			toast(error.message, 'bad');
		}
		await refresh();
	};

	function show() {
		const { registration } = person;
		const isCancelled = registration.RegistrationStatus === 'Cancelled';
		const isConfirmed = registration.RegistrationStatus === 'Confirmed';
		retitleSheet(nameOf(registration));
		head.replaceChildren(
			statusChip(registration.RegistrationStatus),
			make('code', {}, registration.ConfirmationCode),
			make('span', { class: 'from' }, `Registered ${whenOf(registration.RegistrationDate)}`),
			make(
				'div',
				{ class: 'buttons' },
				!isConfirmed &&
					make(
						'button',
						{ class: 'button', type: 'button', onclick: () => setStatus('Confirmed') },
						'Confirm Registration',
					),
				!isCancelled &&
					make(
						'button',
						{ class: 'button deny', type: 'button', onclick: () => setStatus('Cancelled') },
						'Cancel Registration',
					),
			),
		);
		details.update(valuesOf(person));
		order.show(person);
		const lines = person.visits.map((visit) =>
			make('li', {}, make('b', {}, visit.at), make('span', {}, visitText(visit, now()))),
		);
		visits.replaceChildren(...(lines.length > 0 ? lines : [make('li', {}, 'No visits yet.')]));
	}
	async function refresh() {
		const focused = document.activeElement;
		person = await load();
		show();
		// The clicked button was replaced.
		if (!focused.isConnected) document.getElementById('sheet-title').focus();
	}

	openSheet(
		nameOf(person.registration),
		[head, part('Order', order.element), part('Visits', visits), part('Details', details.form)],
		refresh,
	);
	show();
}
