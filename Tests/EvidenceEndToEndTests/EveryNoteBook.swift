import TestSupport

/// A ledger about which reports have something to note of every kind.
///
/// All that people could have typed begins with q: names, purposes, sources, reasons.
enum EveryNoteBook {
    /// Gaps, distances set by hand, trips merged, split, voided and restored, mock positions, late
    /// data, reported trips, expenses, contradictory odometers, an excluded stretch, a shifted
    /// clock, an erased entry, a decision without effect, missing rates, issued reports and changes
    /// after them.
    static let fixture = LedgerProcess.Fixture(
        shell: """
            export LEDGER_ACTOR=Qeva
            drive() { ledger simulate "$1" --source "$3" | sed "s/2025-03-03/2025-$2/g" \\
                | ledger append; }
            ledger init --time-zone Europe/Amsterdam
            ledger vehicle register qvan --kind van --plate Q-1 --make Qmake --model Qmodel
            ledger vehicle register qvan --kind car --electric
            ledger vehicle register qmoto --kind motorcycle
            ledger place save Qhome --lat 51.927 --lon 4.362
            ledger place save Qhome --radius 150 --skip
            ledger place save Qgone --lat 50 --lon 4; ledger place remove Qgone
            ledger field define qfield --label Qlabel
            ledger rules preset phone
            ledger settings --keeper Qkeeper --paper a4
            ledger rates set qrate --rate 0.35 --per km --currency EUR --from 2024-01-01
            drive tunnel 03-03 qgap; ledger edit last --vehicle qvan --class business \\
                --purpose Qpurpose --field qfield=Qa
            drive home-to-office 03-04 qset; ledger edit last --vehicle qvan --class business \\
                --purpose Qpurpose --client Qclient
            ledger adjust last --km 7 --why Qwhy
            drive home-to-office 03-05 qsplit; ledger split last --at 08:33 --why Qwhy
            drive home-to-office 03-06 qone; drive home-to-office 03-06 qone2
            ledger simulate home-to-office --source qmerge \\
                | sed "s/2025-03-03T08/2025-03-07T08/g" | ledger append
            ledger simulate home-to-office --source qmerge \\
                | sed "s/2025-03-03T08/2025-03-07T10/g" | ledger append
            ledger merge $(ledger trips --day 2025-03-07 --format ids) --why Qwhy
            drive home-to-office 03-08 qvoid; ledger void last --why Qwhy
            drive home-to-office 03-09 qvoid; trip=$(ledger trips --day 2025-03-09 --format ids)
            ledger void $trip --why Qwhy; ledger restore $trip
            ledger simulate home-to-office --source qmock | sed "s/2025-03-03/2025-03-10/g" \\
                | sed '4s/}$/,"mock":true}/' | ledger append
            drive home-to-office 03-11 qcut; ledger exclude last --from 08:32 --to 08:34 --why Qwhy
            drive battery-death 03-12 qdead
            drive forgotten-stop 03-13 qstop
            drive double-go 03-14 qgo
            drive late-upload 03-17 qlate
            drive clock-jump 03-18 qclock
            ledger shift-clock qclock --from 2025-03-18T08:00 --to 2025-03-18T08:32 --by 5m \\
                --why Qwhy
            for source in qphone qbox; do drive home-to-office 03-19 $source; ledger edit last \\
                --vehicle qvan; done
            ledger edit --unclassified --class commute --vehicle qvan --yes
            ledger simulate home-to-office --source qfar \\
                | sed "s/2025-03-03T08/2025-03-20T08/g" | ledger append; ledger edit last \\
                --vehicle qvan
            ledger simulate home-to-office --source qjump \\
                | sed 's/2025-03-03T08:3\\(.\\)/2025-03-20T08:4\\1/; s/"lat":51/"lat":48/' \\
                | ledger append; ledger edit last --vehicle qvan --class mixed
            ledger report-trip --from 2025-03-20T08:44 --to 2025-03-20T08:55 --km 4 \\
                --vehicle qvan --class business
            ledger report-trip --from 2025-03-21T09:00 --to 2025-03-21T09:30 --km 4 \\
                --class personal --origin Qa --destination Qb --purpose Qsecret
            ledger report-trip --from 2025-03-22T09:00 --to 2025-03-22T09:30 --km 4.005 \\
                --class medical
            ledger report-trip --from 2025-03-23T09:00 --to 2025-03-23T09:30 --km 4.005 \\
                --class charity --vehicle qvan
            ledger report-trip --from 2025-03-24T09:00 --to 2025-03-24T09:30 --km 4.005 \\
                --class moving --mode bus
            ledger report-trip --from 2025-03-25T09:00 --to 2025-03-25T09:30 --km 900 \\
                --class business --vehicle qmoto
            ledger report-trip --from 2025-03-26T09:00 --to 2025-03-26T09:30 --km 15000 \\
                --class business --vehicle qvan
            ledger report-trip --from 2025-03-27T09:00 --to 2025-03-27T09:30 --km 4 \\
                --class business --vehicle qnone
            ledger report-trip --from 2025-03-28T09:00 --to 2025-03-28T09:30 --km 4
            ledger report-trip --from 2025-03-28T11:00 --to 2025-03-28T11:30 --km 600 \\
                --class personal --vehicle qvan
            ledger go --vehicle qvan --odometer 12000 --at '2025-03-29 08:30'; ledger stop \\
                --odometer 12021.5 --at '2025-03-29 09:05'
            ledger go --vehicle qvan --odometer 12030 --at '2025-03-29 17:00'; ledger stop \\
                --odometer 12040 --at '2025-03-29 17:40'
            ledger odometer qvan 12500 --at '2025-03-31 08:00'; ledger odometer qvan 12400 \\
                --at '2025-04-01 08:00'
            ledger odometer qvan 12400 --at '2025-04-02 08:00'; ledger odometer qvan 12410 \\
                --corrects '2025-04-02 08:00'
            ledger odometer qvan 1000 --at '2025-01-01 08:00'; ledger odometer qvan 1010 \\
                --at '2025-01-03 08:00'
            ledger odometer qvan 20000 --at '2025-12-31 23:00'
            ledger odometer qmoto 5 --at '2025-03-25 08:00'
            ledger expense add fuel 61.20 EUR --vehicle qvan --at '2025-03-11 08:31' --lat 60.1 \\
                --lon 24.9 --merchant Qshop
            ledger expense add charging 8 EUR --vehicle qvan --day 2025-03-26 --lat 51.9 --lon 4.4
            ledger expense add toll 12.40 EUR --trip $(ledger trips --day 2025-03-26 --format ids)
            ledger expense add toll 2.40 USD --day 2025-03-26 --vehicle qvan
            ledger expense add parking 3 EUR --trip $(ledger trips --day 2025-03-21 --format ids)
            ledger expense add parking 3 EUR --trip $(ledger trips --day 2025-03-04 --format ids)
            ledger expense add other 20000000000 EUR --trip $(ledger trips --day 2025-03-04 \\
                --format ids)
            ledger expense add other 1 EUR --day 2025-06-01
            ledger expense void $(ledger expense list --format ids | tail -n 1) --why Qwhy
            ledger routine save qroutine --class commute --purpose Qroutine --from-place Qhome \\
                --to-place Qhome --both-ways --since 2025-01-01
            echo '{"type":"details_edited","source":"qelse",' \\
                '"occurred_at":"2025-03-30T09:00:00Z",' \\
                '"trip":"'$(ledger trips --day 2025-03-04 --format ids)'","fields":{"qno":"Qa"}}' \\
                | ledger append
            ledger report log --year 2025 --issue > /dev/null
            ledger report claim --jurisdiction nl --year 2025 --issue > /dev/null
            ledger edit $(ledger trips --day 2025-03-04 --format ids) --purpose Qother \\
                --class personal --mode bus
            ledger edit $(ledger trips --day 2025-03-04 --format ids) --class business
            ledger simulate tunnel --source qafter | sed "s/2025-03-03/2025-03-15/g" | ledger append
            ledger erase $(ledger log --format csv | grep ',fix_recorded,qlate,' | sed -n 2p \\
                | cut -d, -f1) --why Qwhy --yes
            ledger report-trip --from 2024-06-28T11:00 --to 2024-06-28T11:30 --km 70 \\
                --class business --vehicle qvan
            """
    )
}
