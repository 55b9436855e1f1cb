@echo off
rem Starts lanplay: double-click, or run it from a terminal with arguments.
setlocal
chcp 65001 >nul
where py >nul 2>nul
if not errorlevel 1 (
    py -3 "%~dp0start.py" %*
    goto ended
)
where python >nul 2>nul
if not errorlevel 1 (
    python "%~dp0start.py" %*
    goto ended
)
echo lanplay needs Python 3.11 or newer. Install it from https://www.python.org/downloads/
echo and start this again.
pause
exit /b 1
:ended
set status=%errorlevel%
if not "%status%"=="0" if "%~1"=="" pause
exit /b %status%
