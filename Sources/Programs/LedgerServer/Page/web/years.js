// The years that can be chosen where not only trips are told of.

import { get, groups } from './api.js';
import { today } from './formats.js';

/** The years in which something was paid, the latest first; those of what was taken back too. */
async function yearsOfExpenses(signal) {
    const years = [];
    let to = null;
    for (;;) {
        const { items: [last] } = await get('/v1/expenses', { to, voided: 'yes', limit: 1 }, signal);
        if (!last) return years;
        const year = last.day.slice(0, 4);
        years.push(year);
        to = `${String(Number(year) - 1).padStart(4, '0')}-12-31`;
    }
}

/**
 * The years of trips and of expenses, and this one, the latest first; and the `latest` up to now with trips, or
 * else with expenses: it is shown first.
 */
export async function yearsOf(signal) {
    // Without them the list is shorter, and the view is there all the same.
    const years = yearsOfExpenses(signal).catch((error) => {
        if (signal?.aborted) throw error;
        return [];
    });
    const [totals, paid] = await Promise.all([groups({ by: 'year' }, signal), years]);
    const driven = totals.map(({ name }) => name).reverse();
    const now = today().slice(0, 4);
    const isPast = (year) => year <= now;
    return {
        years: [...new Set([...driven, ...paid, now])].sort().reverse(),
        latest: driven.find(isPast) ?? paid.find(isPast) ?? now,
    };
}
